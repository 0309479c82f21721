// Squares a polynomial by a complex fast Fourier transform.
// input: few.yaml
#include <bits/stdc++.h>
using namespace std;
typedef complex<double> point;
void transform(vector<point> &a, bool inverse) {
    int n = a.size();
    for (int i = 1, j = 0; i < n; ++i) {
        int bit = n / 2;
        for (; j & bit; bit /= 2) j ^= bit;
        j ^= bit;
        if (i < j) swap(a[i], a[j]);
    }
    for (int length = 2; length <= n; length *= 2) {
        point step = polar(1.0, (inverse ? -2 : 2) * M_PI / length);
        for (int i = 0; i < n; i += length) {
            point turn = 1;
            for (int j = 0; j < length / 2; ++j, turn *= step) {
                point u = a[i + j], v = a[i + j + length / 2] * turn;
                a[i + j] = u + v, a[i + j + length / 2] = u - v;
            }
        }
    }
}
int main() {
    int n, size = 1;
    cin >> n;
    while (size < 2 * n) size *= 2;
    vector<point> a(size);
    for (int i = 0, x; i < n; ++i) cin >> x, a[i] = x % 10;
    transform(a, false);
    for (auto &x : a) x *= x;
    transform(a, true);
    long long digest = 0;
    for (auto &x : a) digest = (digest * 31 + llround(x.real() / size)) % 1000000007;
    cout << digest << '\n';
}
