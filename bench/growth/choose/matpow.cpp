// time: log n
// memory: log n
// input: size
// sizes: 10,100,1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: Matrices are passed by value down a recursion of depth log n: some 100 KB a level.
#include <bits/stdc++.h>
using namespace std;

const int K = 64;
const long long MOD = 998244353;
struct Matrix {
    long long a[K][K];
};

Matrix multiply(const Matrix& x, const Matrix& y) {
    Matrix z;
    memset(&z, 0, sizeof z);
    for (int i = 0; i < K; i++)
        for (int k = 0; k < K; k++)
            for (int j = 0; j < K; j++) z.a[i][j] = (z.a[i][j] + x.a[i][k] * y.a[k][j]) % MOD;
    return z;
}

Matrix power(Matrix m, long long e) {
    if (e == 0) {
        Matrix one;
        memset(&one, 0, sizeof one);
        for (int i = 0; i < K; i++) one.a[i][i] = 1;
        return one;
    }
    Matrix half = power(m, e / 2);
    half = multiply(half, half);
    if (e % 2) half = multiply(half, m);
    return half;
}

int main() {
    long long n;
    cin >> n;
    Matrix m;
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) m.a[i][j] = (i * 31 + j * 17) % 10;
    cout << power(m, n).a[0][K - 1] << endl;
}
