// time: n²
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 10000
#include <iostream>
using namespace std;
int a[100005];
int main() {
    int n;
    cin >> n;
    for (int i = 0; i < n; i++) cin >> a[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (a[j] > a[j + 1]) swap(a[j], a[j + 1]);
    for (int i = 0; i < n; i++) cout << a[i] << " ";
    cout << endl;
}
