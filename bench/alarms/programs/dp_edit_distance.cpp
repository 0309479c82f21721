// Finds the edit distance with two rows.
// input: strings.yaml
// sizes: 100,500,1000,3000
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
int main() {
    std::string a, b;
    std::cin >> a >> b;
    std::vector<int> row(b.size() + 1), before;
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        before = row, row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j)
            row[j] = std::min(std::min(before[j], row[j - 1]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
    }
    std::cout << row.back() << '\n';
}
