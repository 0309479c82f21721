// time: n²
// memory: n
// input: ../inputs/array.yaml
// sizes: 1000,2000,5000,10000,20000,50000
// n_max: 50000
// note: Duplicates are looked for in a list.
#include <iostream>
#include <vector>
#include <algorithm>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> seen;
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        if (find(seen.begin(), seen.end(), x) == seen.end()) seen.push_back(x);
    }
    cout << seen.size() << endl;
}
