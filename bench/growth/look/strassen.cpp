// time: n^2.81
// memory: n²
// input: size
// sizes: 64,128,256,512,1024
// n_max: 1024
// note: Powers of two.
#include <bits/stdc++.h>
using namespace std;
typedef vector<int> Matrix;

Matrix part(const Matrix& a, int n, int r, int c) {
    int h = n / 2;
    Matrix p(h * h);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < h; j++) p[i * h + j] = a[(i + r * h) * n + j + c * h];
    return p;
}
Matrix add(const Matrix& a, const Matrix& b, int sign) {
    Matrix c(a.size());
    for (size_t i = 0; i < a.size(); i++) c[i] = a[i] + sign * b[i];
    return c;
}
Matrix multiply(const Matrix& a, const Matrix& b, int n) {
    Matrix c(n * n, 0);
    if (n <= 16 || n % 2) {
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
        return c;
    }
    int h = n / 2;
    Matrix a11 = part(a, n, 0, 0), a12 = part(a, n, 0, 1), a21 = part(a, n, 1, 0), a22 = part(a, n, 1, 1);
    Matrix b11 = part(b, n, 0, 0), b12 = part(b, n, 0, 1), b21 = part(b, n, 1, 0), b22 = part(b, n, 1, 1);
    Matrix m1 = multiply(add(a11, a22, 1), add(b11, b22, 1), h);
    Matrix m2 = multiply(add(a21, a22, 1), b11, h);
    Matrix m3 = multiply(a11, add(b12, b22, -1), h);
    Matrix m4 = multiply(a22, add(b21, b11, -1), h);
    Matrix m5 = multiply(add(a11, a12, 1), b22, h);
    Matrix m6 = multiply(add(a21, a11, -1), add(b11, b12, 1), h);
    Matrix m7 = multiply(add(a12, a22, -1), add(b21, b22, 1), h);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < h; j++) {
            int k = i * h + j;
            c[i * n + j] = m1[k] + m4[k] - m5[k] + m7[k];
            c[i * n + j + h] = m3[k] + m5[k];
            c[(i + h) * n + j] = m2[k] + m4[k];
            c[(i + h) * n + j + h] = m1[k] - m2[k] + m3[k] + m6[k];
        }
    return c;
}

int main() {
    int n;
    cin >> n;
    Matrix a(n * n), b(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    Matrix c = multiply(a, b, n);
    cout << (n ? c[n * n - 1] : 0) << endl;
}
