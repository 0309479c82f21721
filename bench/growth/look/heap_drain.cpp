// time: n log n
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    priority_queue<int> heap;
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        heap.push(x);
    }
    long long sum = 0, rank = 0;
    while (!heap.empty()) {
        sum += heap.top() * (++rank % 7);
        heap.pop();
    }
    cout << sum << endl;
}
