// expects: line 18
// fix 18: for (const auto& name : names) {
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<string> names(n);
    for (int i = 0; i < n; i++) {
        names[i] = "customer-of-the-branch-" + to_string(i * 7919LL % 100003);
    }
    long long total = 0;
    for (int letter = '0'; letter <= '9'; letter++) {
        int count = 0;
        for (auto name : names) {
            if (name.back() == letter) {
                count++;
            }
        }
        total = total * 3 + count;
    }
    cout << total << endl;
    return 0;
}
