#include <cstdio>
#include <vector>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    long sum = 0;
    for (int i = 0; i < n; ++i) {
        int j = i + 1;
        while (j < n && a[j] <= a[i]) ++j;
        sum += j;
    }
    printf("%ld\n", sum);
}
