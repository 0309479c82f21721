// time: n²
// memory: n
// input: ../inputs/strings.yaml
// sizes: default
// n_max: 10000
// note: Two rows.
#include <bits/stdc++.h>
using namespace std;
int main() {
    string s, t;
    cin >> s >> t;
    int n = s.size(), m = t.size();
    vector<int> before(m + 1), now(m + 1);
    iota(before.begin(), before.end(), 0);
    for (int i = 1; i <= n; i++) {
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int change = before[j - 1] + (s[i - 1] != t[j - 1]);
            now[j] = min({before[j] + 1, now[j - 1] + 1, change});
        }
        swap(before, now);
    }
    cout << before[m] << "\n";
}
