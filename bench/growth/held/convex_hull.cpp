// time: n log n
// memory: n
// input: ../inputs/points.yaml
// sizes: default
// n_max: 100000
// note: Andrew's monotone chain.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;

typedef long long ll;

struct Point {
    ll x, y;
    bool operator<(const Point& p) const { return x < p.x || (x == p.x && y < p.y); }
    bool operator==(const Point& p) const { return x == p.x && y == p.y; }
};

ll cross(const Point& o, const Point& a, const Point& b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

vector<Point> hull(vector<Point> p) {
    sort(p.begin(), p.end());
    p.erase(unique(p.begin(), p.end()), p.end());
    int n = p.size(), k = 0;
    if (n < 3) return p;
    vector<Point> h(2 * n);
    for (int i = 0; i < n; i++) {
        while (k >= 2 && cross(h[k - 2], h[k - 1], p[i]) <= 0) k--;
        h[k++] = p[i];
    }
    for (int i = n - 2, t = k + 1; i >= 0; i--) {
        while (k >= t && cross(h[k - 2], h[k - 1], p[i]) <= 0) k--;
        h[k++] = p[i];
    }
    h.resize(k - 1);
    return h;
}

int main() {
    int n;
    cin >> n;
    vector<Point> points(n);
    for (Point& p : points) cin >> p.x >> p.y;
    vector<Point> h = hull(points);
    cout << h.size() << "\n";
    for (const Point& p : h) cout << p.x << " " << p.y << "\n";
    return 0;
}
