// time: n log n
// memory: n
// input: ../inputs/array.yaml
// sizes: 1000,5000,10000,50000,100000,200000,500000
// n_max: 500000
#include <cstdio>
#include <functional>
#include <queue>
#include <vector>
using namespace std;
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 0;
    priority_queue<long long, vector<long long>, greater<long long>> heap;
    for (int i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
        heap.push(x);
    }
    long long cost = 0;
    while (heap.size() > 1) {
        long long a = heap.top();
        heap.pop();
        long long b = heap.top();
        heap.pop();
        cost = (cost + a + b) % 1000000007;
        heap.push(a + b);
    }
    printf("%lld\n", cost);
}
