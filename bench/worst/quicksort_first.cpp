#include <cstdio>
#include <vector>
using namespace std;

void sort(vector<int> &a, int low, int high) {
    if (low >= high) return;
    int pivot = a[low], store = low;
    for (int i = low + 1; i <= high; ++i)
        if (a[i] < pivot) swap(a[++store], a[i]);
    swap(a[low], a[store]);
    sort(a, low, store - 1);
    sort(a, store + 1, high);
}
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    sort(a, 0, n - 1);
    printf("%d\n", a[n / 2]);
}
