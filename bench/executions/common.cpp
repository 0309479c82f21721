#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
int main() {
    string s, p;
    cin >> s >> p;
    vector<vector<int>> best(s.size() + 1, vector<int>(p.size() + 1));
    for (size_t i = 1; i <= s.size(); ++i)
        for (size_t j = 1; j <= p.size(); ++j)
            best[i][j] = s[i - 1] == p[j - 1] ? best[i - 1][j - 1] + 1
                                              : max(best[i - 1][j], best[i][j - 1]);
    cout << best.back().back() << '\n';
}
