// time: n log n
// memory: n
// input: size
// sizes: 10000,50000,100000,500000,1000000,2000000
// n_max: 2000000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> divisors(n + 1);
    for (int i = 1; i <= n; i++)
        for (int j = i; j <= n; j += i) divisors[j]++;
    cout << (n ? *max_element(divisors.begin() + 1, divisors.end()) : 0) << endl;
}
