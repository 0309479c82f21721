#include <cstdio>
#include <vector>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<int> low(n), high(n);
    for (int i = 0; i < n; ++i) scanf("%d %d", &low[i], &high[i]);
    long inside = 0;
    for (int i = 0; i < n; ++i)
        for (int at = low[i]; at <= high[i]; ++at) ++inside;
    printf("%ld\n", inside);
}
