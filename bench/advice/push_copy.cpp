// expects: move( | emplace_back
// fix 15: rows.push_back(std::move(row));
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<std::vector<int>> rows;
    rows.reserve(n);
    for (int i = 0; i < n; ++i) {
        std::vector<int> row(20);
        row[i % 20] = i;
        row[(i + 7) % 20] = 1;
        rows.push_back(row);
    }
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += rows[i][(i + 7) % 20] * 3 + rows[i][i % 20] % 5;
    }
    std::printf("%lld\n", sum);
}
