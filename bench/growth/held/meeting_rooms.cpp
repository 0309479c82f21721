// time: n log n
// memory: n
// input: ../inputs/intervals.yaml
// sizes: default
// n_max: 100000
// note: Sorts, then keeps the ends in a heap.
#include <algorithm>
#include <functional>
#include <iostream>
#include <queue>
#include <vector>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<pair<int, int>> meetings(n);
    for (auto& m : meetings) cin >> m.first >> m.second;
    sort(meetings.begin(), meetings.end());
    priority_queue<int, vector<int>, greater<int>> ends;
    size_t rooms = 0;
    for (const auto& m : meetings) {
        while (!ends.empty() && ends.top() <= m.first) ends.pop();
        ends.push(m.second);
        rooms = max(rooms, ends.size());
    }
    cout << rooms << "\n";
    return 0;
}
