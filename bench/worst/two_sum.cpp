#include <cstdio>
#include <vector>
using namespace std;
int main() {
    int target;
    scanf("%d", &target);
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            if (a[i] + a[j] == target) {
                printf("%d %d\n", i, j);
                return 0;
            }
    puts("none");
}
