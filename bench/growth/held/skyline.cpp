// time: n log n
// memory: n
// input: ../inputs/buildings.yaml
// sizes: default
// n_max: 100000
// note: A sweep with the heights in a multiset.
#include <bits/stdc++.h>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<pair<int, int>> events;
    events.reserve(2 * n);
    for (int i = 0; i < n; i++) {
        int l, r, h;
        cin >> l >> r >> h;
        events.emplace_back(l, -h);
        events.emplace_back(r, h);
    }
    sort(events.begin(), events.end());
    multiset<int> heights{0};
    int last = 0, from = 0, corners = 0;
    long long area = 0;
    for (auto [x, h] : events) {
        area = (area + (long long)(x - from) * last) % 1000000007LL;
        from = x;
        if (h < 0)
            heights.insert(-h);
        else
            heights.erase(heights.find(h));
        int top = *heights.rbegin();
        if (top != last) {
            corners++;
            last = top;
        }
    }
    cout << corners << " " << area << "\n";
}
