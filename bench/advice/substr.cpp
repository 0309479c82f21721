// expects: line 21
// fix 21: if (text.compare(i, pattern.size(), pattern) == 0) {
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    string text;
    unsigned state = 31;
    for (int i = 0; i < n; i++) {
        state = state * 1103515245u + 12345u;
        text += "ab"[state >> 30 & 1];
    }
    vector<string> patterns = {"abababababababababab", "aaaaaaaaaaaaaaaaaabb"};
    int found = 0;
    for (const string& pattern : patterns) {
        for (size_t i = 0; i + pattern.size() <= text.size(); i++) {
            if (text.substr(i, pattern.size()) == pattern) {
                found++;
            }
        }
    }
    cout << found << "\n";
    return 0;
}
