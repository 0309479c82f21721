// time: n²
// memory: n
// input: ../inputs/signed.yaml
// sizes: default
// n_max: 10000
// note: Counts triples with a negative sum by two pointers.
#include <algorithm>
#include <cstdio>
#include <vector>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<long long> a(n);
    for (int i = 0; i < n; i++) scanf("%lld", &a[i]);
    sort(a.begin(), a.end());
    long long count = 0;
    for (int i = 0; i + 2 < n; i++) {
        int lo = i + 1, hi = n - 1;
        while (lo < hi) {
            if (a[i] + a[lo] + a[hi] < 0) {
                count += hi - lo;
                lo++;
            } else {
                hi--;
            }
        }
    }
    printf("%lld\n", count);
    return 0;
}
