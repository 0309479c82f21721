#include <algorithm>
#include <cstdio>
#include <vector>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<long> height(n);
    for (long &x : height) scanf("%ld", &x);
    long largest = 0;
    for (int i = 0; i < n; ++i) {
        int left = i, right = i;
        while (left > 0 && height[left - 1] >= height[i]) --left;
        while (right + 1 < n && height[right + 1] >= height[i]) ++right;
        largest = max(largest, height[i] * (right - left + 1));
    }
    printf("%ld\n", largest);
}
