// time: n | n log n
// memory: n
// input: size
// sizes: 10000,100000,500000,1000000,2000000,5000000,10000000
// n_max: 10000000
// note: n log log n: both names are right.
#include <cstdio>
#include <vector>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<bool> prime(n + 1, true);
    int count = 0;
    for (int i = 2; i <= n; i++) {
        if (!prime[i]) continue;
        count++;
        for (long long j = (long long)i * i; j <= n; j += i) prime[j] = false;
    }
    printf("%d\n", count);
}
