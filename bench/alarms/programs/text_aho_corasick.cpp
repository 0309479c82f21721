// Counts words in their own concatenation by the automaton of Aho and Corasick.
// input: words.yaml
// sizes: 10,100,1000,5000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<array<int, 26>> next(1, array<int, 26>{});
    vector<int> ends(1), link(1);
    string all, word;
    while (n-- && cin >> word) {
        int at = 0;
        for (char c : word) {
            int &to = next[at][(c - 'a' + 26) % 26];
            if (!to) {
                int fresh = next.size();
                to = fresh, next.push_back({}), ends.push_back(0), link.push_back(0);
            }
            at = next[at][(c - 'a' + 26) % 26];
        }
        ++ends[at], all += word;
    }
    queue<int> open({0});
    for (; !open.empty(); open.pop())
        for (int c = 0, at = open.front(); c < 26; ++c) {
            int fallback = at ? next[link[at]][c] : 0, &to = next[at][c];
            if (to) link[to] = fallback, ends[to] += ends[fallback], open.push(to);
            else to = fallback;
        }
    long long found = 0;
    int at = 0;
    for (char c : all) at = next[at][(c - 'a' + 26) % 26], found += ends[at];
    cout << found << '\n';
}
