#include <cstdio>
#include <vector>
using namespace std;
/// The length of the smallest multiple of k whose digits are ones and zeros.
int digits(int k) {
    vector<int> length(k), queue{1 % k};
    length[1 % k] = 1;
    for (int i = 0; i < (int)queue.size(); ++i) {
        int rest = queue[i];
        if (rest == 0) return length[0];
        for (int digit = 0; digit < 2; ++digit) {
            int to = (rest * 10 + digit) % k;
            if (!length[to]) length[to] = length[rest] + 1, queue.push_back(to);
        }
    }
    return 0;
}
int main() {
    int n;
    scanf("%d", &n);
    long sum = 0;
    for (int i = 0, k; i < n; ++i) {
        scanf("%d", &k);
        sum += digits(k);
    }
    printf("%ld\n", sum);
}
