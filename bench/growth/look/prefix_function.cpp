// time: n
// memory: n
// input: ../inputs/periodic.yaml
// sizes: 10000,50000,100000,500000,1000000,2000000
// n_max: 2000000
#include <bits/stdc++.h>
using namespace std;
int main() {
    ios::sync_with_stdio(0);
    cin.tie(0);
    string s;
    cin >> s;
    int n = s.size();
    vector<int> pi(n + 1, 0);
    for (int i = 1; i < n; i++) {
        int k = pi[i - 1];
        while (k > 0 && s[i] != s[k]) k = pi[k - 1];
        if (s[i] == s[k]) k++;
        pi[i] = k;
    }
    cout << (n ? n - pi[n - 1] : 0) << "\n";
}
