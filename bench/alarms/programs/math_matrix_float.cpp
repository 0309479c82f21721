// Multiplies matrices of floats that it fills itself.
// sizes: 20,100,200,300
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; ++i) a[i] = i % 7, b[i] = i % 5;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    std::cout << c[n * n - 1] << '\n';
}
