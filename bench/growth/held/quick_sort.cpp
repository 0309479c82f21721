// time: n log n
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
// note: By hand, with the middle element as pivot, on random numbers.
#include <iostream>
using namespace std;

int arr[100005];

void quickSort(int lo, int hi) {
    if (lo >= hi) return;
    int i = lo, j = hi;
    int pivot = arr[(lo + hi) / 2];
    while (i <= j) {
        while (arr[i] < pivot) i++;
        while (arr[j] > pivot) j--;
        if (i <= j) {
            int tmp = arr[i];
            arr[i] = arr[j];
            arr[j] = tmp;
            i++;
            j--;
        }
    }
    quickSort(lo, j);
    quickSort(i, hi);
}

int main() {
    int n;
    cin >> n;
    for (int i = 0; i < n; i++) cin >> arr[i];
    quickSort(0, n - 1);
    for (int i = 0; i < n; i++) cout << arr[i] << " ";
    cout << endl;
    return 0;
}
