// time: n log n
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    map<int, int> first;
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        if (!first.count(x)) first[x] = i;
    }
    long long sum = 0;
    for (auto [value, at] : first) sum += (long long)value * at % 1000;
    cout << first.size() << " " << sum << "\n";
}
