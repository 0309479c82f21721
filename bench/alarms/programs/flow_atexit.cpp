// Answers in the destructor of a global.
// input: array.yaml
#include <cstdio>
struct Answer {
    long long sum = 0;
    ~Answer() { printf("%lld\n", sum); }
} answer;
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    for (int x; n-- > 0 && scanf("%d", &x) == 1;) answer.sum += x;
}
