// time: n²
// memory: n
// input: size
// sizes: 1000,5000,10000,20000,50000,80000
// n_max: 80000
// note: A vector as a queue. Below 10000 the moves are too short to matter.
#include <iostream>
#include <vector>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> line;
    for (int i = 0; i < n; i++) line.push_back(i * 7 % 1000);
    long long sum = 0;
    while (!line.empty()) {
        sum = (sum * 31 + line.front()) % 1000003;
        line.erase(line.begin());
    }
    cout << sum << endl;
}
