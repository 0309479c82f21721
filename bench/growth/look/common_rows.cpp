// time: n²
// memory: n
// input: ../inputs/strings.yaml
// sizes: 100,300,1000,2000,5000,10000
// n_max: 10000
#include <bits/stdc++.h>
using namespace std;
int main() {
    string s, t;
    cin >> s >> t;
    vector<int> row(t.size() + 1), next(row);
    for (char c : s) {
        for (size_t j = 0; j < t.size(); j++) next[j + 1] = c == t[j] ? row[j] + 1 : max(row[j + 1], next[j]);
        swap(row, next);
    }
    cout << row.back() << endl;
}
