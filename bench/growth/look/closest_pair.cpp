// time: n log n
// memory: n
// input: ../inputs/points.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
typedef long long ll;
struct P {
    ll x, y;
};
vector<P> p, buffer_;
ll best = LLONG_MAX;

void solve(int l, int r) {
    if (r - l <= 3) {
        for (int i = l; i < r; i++)
            for (int j = i + 1; j < r; j++) {
                ll dx = p[i].x - p[j].x, dy = p[i].y - p[j].y;
                best = min(best, dx * dx + dy * dy);
            }
        sort(p.begin() + l, p.begin() + r, [](const P& a, const P& b) { return a.y < b.y; });
        return;
    }
    int m = (l + r) / 2;
    ll middle = p[m].x;
    solve(l, m);
    solve(m, r);
    merge(p.begin() + l, p.begin() + m, p.begin() + m, p.begin() + r, buffer_.begin(),
          [](const P& a, const P& b) { return a.y < b.y; });
    copy(buffer_.begin(), buffer_.begin() + (r - l), p.begin() + l);
    vector<P> strip;
    for (int i = l; i < r; i++) {
        ll dx = p[i].x - middle;
        if (dx * dx >= best) continue;
        for (int j = (int)strip.size() - 1; j >= 0; j--) {
            ll dy = p[i].y - strip[j].y, ex = p[i].x - strip[j].x;
            if (dy * dy >= best) break;
            best = min(best, ex * ex + dy * dy);
        }
        strip.push_back(p[i]);
    }
}

int main() {
    int n;
    scanf("%d", &n);
    p.resize(n);
    buffer_.resize(n);
    for (auto& q : p) scanf("%lld %lld", &q.x, &q.y);
    sort(p.begin(), p.end(), [](const P& a, const P& b) { return a.x < b.x; });
    solve(0, n);
    printf("%lld\n", best);
}
