// expects: line 14
// fix 14: cout << total % 1000 << '\n';
#include <iostream>
using namespace std;

int main() {
    int n;
    cin >> n;
    unsigned state = 12345;
    long long total = 0;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        total += state >> 16;
        cout << total % 1000 << endl;
    }
    cout << "total " << total << "\n";
    return 0;
}
