// The same as ../worst/quicksort.cpp, with a sort that no order makes quadratic.
#include <algorithm>
#include <cstdio>
#include <vector>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    sort(a.begin(), a.end());
    printf("%d\n", a[n / 2]);
}
