// time: n
// memory: n
// input: ../inputs/steps.yaml
// sizes: default
// n_max: 100000
// note: Subarrays with sum 0, counted by their prefix sums in a hash map.
#include <iostream>
#include <unordered_map>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    unordered_map<long long, int> seen;
    seen[0] = 1;
    long long sum = 0, answer = 0;
    for (int i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
        sum += x;
        auto it = seen.find(sum);
        if (it != seen.end()) {
            answer += it->second;
            it->second++;
        } else {
            seen[sum] = 1;
        }
    }
    printf("%lld\n", answer);
    return 0;
}
