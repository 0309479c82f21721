// Sorts by quicksort; the pivot is the median of the first, the middle and the last element. What
// to see: random numbers take n log n, and the sequence made against this pivot takes n².
#include <cstdio>
#include <utility>
#include <vector>

static void quicksort(std::vector<int>& a, int low, int high) {
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < a[low]) std::swap(a[middle], a[low]);
        if (a[high] < a[low]) std::swap(a[high], a[low]);
        if (a[high] < a[middle]) std::swap(a[high], a[middle]);
        int pivot = a[middle], i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot) ++i;
            while (pivot < a[j]) --j;
            if (i <= j) std::swap(a[i++], a[j--]);
        }
        // Recur into the smaller part, so that the stack stays small.
        if (j - low < high - i) {
            quicksort(a, low, j);
            low = i;
        } else {
            quicksort(a, i, high);
            high = j;
        }
    }
}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<int> a(n);
    for (int& x : a)
        if (std::scanf("%d", &x) != 1) return 1;
    quicksort(a, 0, n - 1);
    long long sum = 0;
    for (int i = 0; i < n; ++i) sum += (i + 1LL) * a[i] % 1000007;
    std::printf("%lld\n", sum);
}
