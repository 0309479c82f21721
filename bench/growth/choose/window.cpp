// time: n
// memory: n
// input: ../inputs/small.yaml
// sizes: default
// n_max: 100000
// note: Two pointers.
#include <bits/stdc++.h>
using namespace std;

int main() {
    ios_base::sync_with_stdio(false);
    cin.tie(NULL);
    int n;
    cin >> n;
    vector<int> a(n), count(n + 1, 0);
    for (int i = 0; i < n; i++) cin >> a[i];
    int left = 0, best = 0;
    for (int right = 0; right < n; right++) {
        count[a[right]]++;
        while (count[a[right]] > 1) {
            count[a[left]]--;
            left++;
        }
        best = max(best, right - left + 1);
    }
    cout << best << "\n";
    return 0;
}
