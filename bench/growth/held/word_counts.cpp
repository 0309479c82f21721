// time: n log n
// memory: n
// input: ../inputs/words.yaml
// sizes: default
// n_max: 100000
// note: Words of 12 letters, counted in a map.
#include <iostream>
#include <map>
#include <string>
using namespace std;

int main() {
    int n;
    cin >> n;
    map<string, int> freq;
    for (int i = 0; i < n; i++) {
        string word;
        cin >> word;
        freq[word]++;
    }
    string best;
    int most = 0;
    for (const auto& [word, count] : freq) {
        if (count > most) {
            most = count;
            best = word;
        }
    }
    cout << freq.size() << endl;
    cout << best << " " << most << endl;
}
