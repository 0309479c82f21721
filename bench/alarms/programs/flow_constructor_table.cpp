// Fills a table of a million before main.
#include <cstdio>
#include <vector>
static std::vector<int> table = [] {
    std::vector<int> least(1000001);
    for (int i = 2; i <= 1000000; ++i)
        if (!least[i])
            for (int j = i; j <= 1000000; j += i)
                if (!least[j]) least[j] = i;
    return least;
}();
int main() {
    int n, found = 0;
    if (scanf("%d", &n) != 1) return 1;
    while (n > 1) n /= table[n], ++found;
    printf("%d\n", found);
}
