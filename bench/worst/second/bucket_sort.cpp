#include <cstdio>
#include <vector>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<vector<int>> buckets(n);
    for (int i = 0; i < n; ++i) {
        int x;
        scanf("%d", &x);
        vector<int> &bucket = buckets[(long)x * n / 1000000001];
        bucket.push_back(x);
        for (int j = bucket.size() - 1; j > 0 && bucket[j - 1] > bucket[j]; --j)
            swap(bucket[j - 1], bucket[j]);
    }
    long sum = 0, rank = 0;
    for (auto &bucket : buckets)
        for (int x : bucket) sum += ++rank * x % 1000;
    printf("%ld\n", sum);
}
