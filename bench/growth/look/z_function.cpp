// time: n
// memory: n
// input: ../inputs/periodic.yaml
// sizes: 1000,10000,100000,500000,1000000,2000000
// n_max: 2000000
#include <bits/stdc++.h>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    string s;
    cin >> s;
    int n = s.size();
    vector<int> z(n);
    for (int i = 1, l = 0, r = 0; i < n; i++) {
        if (i < r) z[i] = min(r - i, z[i - l]);
        while (i + z[i] < n && s[z[i]] == s[i + z[i]]) z[i]++;
        if (i + z[i] > r) l = i, r = i + z[i];
    }
    cout << accumulate(z.begin(), z.end(), 0LL) << endl;
}
