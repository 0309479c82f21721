// time: n
// memory: n
// input: ../inputs/words.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<string> words;
    for (int i = 0; i < n; i++) {
        string w;
        cin >> w;
        reverse(w.begin(), w.end());
        words.push_back(w);
    }
    reverse(words.begin(), words.end());
    for (const string& w : words) cout << w << "\n";
}
