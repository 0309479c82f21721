// time: n
// memory: n
// input: size
// sizes: 1000,10000,100000,500000,1000000,2000000
// n_max: 2000000
// note: Eight coins.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> coins = {1, 2, 5, 10, 20, 50, 100, 200};
    vector<long long> ways(n + 1, 0);
    ways[0] = 1;
    for (int c : coins)
        for (int s = c; s <= n; s++) ways[s] = (ways[s] + ways[s - c]) % 1000000007;
    cout << ways[n] << endl;
}
