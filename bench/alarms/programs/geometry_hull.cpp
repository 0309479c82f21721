// Finds a convex hull by a monotone chain.
// input: points.yaml
#include <bits/stdc++.h>
using namespace std;
typedef pair<long long, long long> point;
__int128 turn(point a, point b, point c) {
    return (__int128)(b.first - a.first) * (c.second - a.second) -
           (__int128)(b.second - a.second) * (c.first - a.first);
}
int main() {
    int n;
    scanf("%d", &n);
    vector<point> p(n), hull;
    for (auto &[x, y] : p) scanf("%lld %lld", &x, &y);
    sort(p.begin(), p.end());
    for (int side = 0; side < 2; ++side, reverse(p.begin(), p.end())) {
        size_t begin = hull.size();
        for (auto q : p) {
            while (hull.size() >= begin + 2 && turn(hull[hull.size() - 2], hull.back(), q) <= 0)
                hull.pop_back();
            hull.push_back(q);
        }
    }
    printf("%zu\n", hull.size());
}
