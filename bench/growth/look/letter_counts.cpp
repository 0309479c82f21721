// time: n
// memory: n
// input: ../inputs/string.yaml
// sizes: 10000,100000,500000,1000000,2000000,5000000
// n_max: 5000000
#include <iostream>
#include <string>
using namespace std;
int main() {
    string line;
    getline(cin, line);
    int count[26] = {};
    for (char c : line)
        if (c >= 'a' && c <= 'z') count[c - 'a']++;
    for (int i = 0; i < 26; i++) cout << char('a' + i) << " " << count[i] << "\n";
}
