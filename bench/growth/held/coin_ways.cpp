// time: n²
// memory: n
// input: ../inputs/coins.yaml
// sizes: default
// n_max: 10000
// note: n coins of at most n, a target of n.
#include <bits/stdc++.h>
using namespace std;
const int MOD = 1e9 + 7;

int main() {
    int n, target;
    cin >> n >> target;
    vector<int> coins(n);
    for (int& c : coins) cin >> c;
    vector<int> ways(target + 1, 0);
    ways[0] = 1;
    for (int c : coins) {
        for (int s = c; s <= target; s++) {
            ways[s] += ways[s - c];
            if (ways[s] >= MOD) ways[s] -= MOD;
        }
    }
    cout << ways[target] << endl;
}
