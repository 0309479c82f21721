// time: n^2.5
// memory: 1
// input: size
// sizes: 50,100,200,400,700,1000
// n_max: 1000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    long long total = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            for (int k = 1; k * k <= n; k++) total += (i ^ j) % (k + 1);
    cout << total << endl;
}
