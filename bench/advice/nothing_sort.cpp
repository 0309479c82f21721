// expects: nothing
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<unsigned> values;
    values.reserve(5 * n);
    unsigned state = 21;
    for (int i = 0; i < 5 * n; i++) {
        state = state * 1664525u + 1013904223u;
        values.push_back(state);
    }
    sort(values.begin(), values.end());
    unsigned long long sum = 0;
    for (int i = 0; i < 5 * n; i += 2) {
        sum += values[i];
    }
    cout << sum << endl;
    return 0;
}
