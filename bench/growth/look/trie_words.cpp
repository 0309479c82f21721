// time: n
// memory: n
// input: ../inputs/words.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
struct Node {
    int next[26] = {};
    int ends = 0;
};
int main() {
    ios::sync_with_stdio(false);
    int n;
    cin >> n;
    vector<Node> trie(1);
    string w;
    while (cin >> w) {
        int at = 0;
        for (char c : w) {
            int& to = trie[at].next[c - 'a'];
            if (!to) {
                to = trie.size();
                int fresh = to;
                trie.emplace_back();
                at = fresh;
            } else {
                at = to;
            }
        }
        trie[at].ends++;
    }
    cout << trie.size() << '\n';
}
