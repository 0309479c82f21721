// time: n·2ⁿ
// memory: 2ⁿ
// input: size
// sizes: 1,4,8,12,14,16,18,19,20,21,22
// n_max: 22
// note: All sums are kept and sorted: n 2ⁿ steps.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<long long> sums = {0};
    for (int i = 0; i < n; i++) {
        long long w = (i * 2654435761LL) % 1000003;
        size_t size = sums.size();
        for (size_t j = 0; j < size; j++) sums.push_back(sums[j] + w);
    }
    sort(sums.begin(), sums.end());
    long long gap = LLONG_MAX;
    for (size_t i = 1; i < sums.size(); i++) gap = min(gap, sums[i] - sums[i - 1]);
    cout << gap << endl;
}
