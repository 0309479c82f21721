// time: n² log n
// memory: n²
// input: size
// sizes: 50,100,200,300,500,700
// n_max: 700
// note: Memoised in a map.
#include <bits/stdc++.h>
using namespace std;
map<pair<int, int>, long long> memo;
long long paths(int i, int j) {
    if (i == 0 || j == 0) return 1;
    auto it = memo.find({i, j});
    if (it != memo.end()) return it->second;
    long long r = (paths(i - 1, j) + paths(i, j - 1)) % 1000000007;
    memo[{i, j}] = r;
    return r;
}
int main() {
    int n;
    cin >> n;
    cout << paths(n, n) << endl;
}
