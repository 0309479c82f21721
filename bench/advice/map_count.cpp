// expects: unordered_map
// fix 5: #include <unordered_map>
// fix 18: unordered_map<int, int> frequency;
#include <iostream>
#include <map>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<int> values(3 * n);
    unsigned state = 2024;
    for (auto& value : values) {
        state = state * 1664525u + 1013904223u;
        value = state % (unsigned)(n + 1);
    }
    map<int, int> frequency;
    for (int value : values) {
        frequency[value]++;
    }
    int distinct = 0, most = 0;
    for (int value : values) {
        most = max(most, frequency[value]);
        distinct += frequency[value] == 1;
    }
    cout << distinct << " " << most << "\n";
    return 0;
}
