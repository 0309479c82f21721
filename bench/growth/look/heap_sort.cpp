// time: n log n
// memory: n
// input: size
// sizes: 1000,10000,50000,100000,500000,1000000
// n_max: 1000000
// note: By hand, on its own numbers.
#include <iostream>
#include <vector>
using namespace std;

void siftDown(vector<unsigned>& a, int i, int n) {
    while (2 * i + 1 < n) {
        int child = 2 * i + 1;
        if (child + 1 < n && a[child + 1] > a[child]) child++;
        if (a[i] >= a[child]) return;
        swap(a[i], a[child]);
        i = child;
    }
}

int main() {
    int n;
    cin >> n;
    vector<unsigned> a(n);
    unsigned state = 1;
    for (auto& x : a) x = state = state * 1664525u + 1013904223u;
    for (int i = n / 2 - 1; i >= 0; i--) siftDown(a, i, n);
    for (int end = n - 1; end > 0; end--) {
        swap(a[0], a[end]);
        siftDown(a, 0, end);
    }
    cout << (n ? a[n / 2] : 0) << endl;
}
