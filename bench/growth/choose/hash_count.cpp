// time: n
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
#include <iostream>
#include <unordered_map>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(0);
    int n;
    cin >> n;
    unordered_map<int, int> freq;
    int best = 0;
    for (int i = 0; i < n; ++i) {
        int x;
        cin >> x;
        best = max(best, ++freq[x]);
    }
    cout << best << ' ' << freq.size() << '\n';
}
