// Guards an unordered_map against bad keys by a hash salted with the clock.
// input: array.yaml
// varies: work
#include <bits/stdc++.h>
using namespace std;
struct Salted {
    static uint64_t mix(uint64_t x) {
        x += 0x9e3779b97f4a7c15;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        return x ^ (x >> 31);
    }
    size_t operator()(uint64_t x) const {
        static const uint64_t salt = chrono::steady_clock::now().time_since_epoch().count();
        return mix(x + salt);
    }
};
int main() {
    int n, x, best = 0;
    cin >> n;
    unordered_map<uint64_t, int, Salted> counts;
    while (n-- && cin >> x) best = max(best, ++counts[x % 5000]);
    cout << counts.size() << ' ' << best << '\n';
}
