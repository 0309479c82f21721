// time: n log n
// memory: n
// input: size
// sizes: 1024,4096,16384,65536,262144,524288
// n_max: 524288
// note: Powers of two.
#include <bits/stdc++.h>
using namespace std;
typedef complex<double> cd;

void fft(vector<cd>& a) {
    int n = a.size();
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) swap(a[i], a[j]);
    }
    for (int len = 2; len <= n; len <<= 1) {
        double angle = 2 * acos(-1.0) / len;
        cd step(cos(angle), sin(angle));
        for (int i = 0; i < n; i += len) {
            cd w(1);
            for (int j = 0; j < len / 2; j++) {
                cd u = a[i + j], v = a[i + j + len / 2] * w;
                a[i + j] = u + v;
                a[i + j + len / 2] = u - v;
                w *= step;
            }
        }
    }
}

int main() {
    int n;
    cin >> n;
    int size = 1;
    while (size < n) size *= 2;
    vector<cd> a(size);
    for (int i = 0; i < n; i++) a[i] = i % 10;
    fft(a);
    printf("%.3f\n", abs(a[size / 2]));
}
