#include <cstdio>
#include <vector>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    long steps = 0;
    for (int i = 0; i < n; ++i)
        for (int at = a[i] - 1; at != i; at = a[at] - 1) ++steps;
    printf("%ld\n", steps);
}
