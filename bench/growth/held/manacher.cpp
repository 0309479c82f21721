// time: n
// memory: n
// input: ../inputs/same_letters.yaml
// sizes: 10000,50000,100000,500000,1000000,2000000
// n_max: 2000000
// note: Counts palindromic substrings of a string of one letter.
#include <bits/stdc++.h>
using namespace std;

int main() {
    ios_base::sync_with_stdio(false);
    cin.tie(NULL);
    string s;
    cin >> s;
    string t = "^";
    for (char c : s) {
        t += '#';
        t += c;
    }
    t += "#$";
    int len = t.size();
    vector<int> p(len, 0);
    int center = 0, right = 0;
    for (int i = 1; i < len - 1; i++) {
        if (i < right) p[i] = min(right - i, p[2 * center - i]);
        while (t[i + p[i] + 1] == t[i - p[i] - 1]) p[i]++;
        if (i + p[i] > right) {
            center = i;
            right = i + p[i];
        }
    }
    long long total = 0;
    for (int i = 1; i < len - 1; i++) total += (p[i] + 1) / 2;
    cout << total << " " << *max_element(p.begin(), p.end()) << "\n";
    return 0;
}
