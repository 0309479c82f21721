// time: n
// memory: n
// input: ../inputs/parentheses.yaml
// sizes: default
// n_max: 100000
// note: The longest balanced part, with a stack of positions.
#include <iostream>
#include <stack>
#include <string>
using namespace std;

int main() {
    string s;
    cin >> s;
    stack<int> open;
    open.push(-1);
    int best = 0, count = 1;
    for (int i = 0; i < (int)s.size(); i++) {
        if (s[i] == '(') {
            open.push(i);
            continue;
        }
        open.pop();
        if (open.empty()) {
            open.push(i);
        } else {
            int len = i - open.top();
            if (len > best) {
                best = len;
                count = 1;
            } else if (len == best) {
                count++;
            }
        }
    }
    cout << best << " " << count << endl;
    return 0;
}
