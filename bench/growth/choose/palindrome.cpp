// time: n
// memory: n
// input: ../inputs/string.yaml
// sizes: 10000,100000,500000,1000000,2000000,5000000
// n_max: 5000000
#include <bits/stdc++.h>
using namespace std;
int main() {
    string s;
    cin >> s;
    string t = s;
    reverse(t.begin(), t.end());
    int same = 0;
    for (size_t i = 0; i < s.size(); i++) same += s[i] == t[i];
    cout << (same == (int)s.size() ? "YES" : "NO") << " " << same << endl;
}
