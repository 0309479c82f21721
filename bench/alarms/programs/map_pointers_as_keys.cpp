// Keeps pointers in a set, and adds up what they point to.
// varies: work
#include <cstdio>
#include <memory>
#include <set>
#include <vector>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<std::unique_ptr<long>> owned;
    std::set<long *> seen;
    for (int i = 0; i < n; ++i) {
        owned.push_back(std::make_unique<long>(i));
        seen.insert(owned.back().get());
    }
    long sum = 0;
    for (long *at : seen) sum += *at;
    printf("%ld\n", sum);
}
