#include <iostream>
#include <map>
#include <string>
using namespace std;
int main() {
    int n;
    cin >> n;
    map<string, int> count;
    for (string word; cin >> word;) ++count[word];
    int most = 0;
    for (const auto &[word, times] : count) most = max(most, times * (int)word.size());
    cout << count.size() << ' ' << most << endl;
}
