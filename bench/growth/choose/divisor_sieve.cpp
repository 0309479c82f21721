// time: n log n
// memory: n
// input: size
// sizes: 1000,10000,100000,500000,1000000,2000000
// n_max: 2000000
// note: n/1 + n/2 + … + n/n steps.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> divisors(n + 1, 0);
    for (int i = 1; i <= n; i++)
        for (int j = i; j <= n; j += i) divisors[j]++;
    long long sum = 0;
    for (int i = 1; i <= n; i++) sum += divisors[i];
    cout << sum << endl;
}
