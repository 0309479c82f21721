// Prints its time on stderr, as contestants do, and a fixed answer on stdout.
// input: array.yaml
// varies: work
#include <bits/stdc++.h>
using namespace std;
int main() {
    auto begun = chrono::high_resolution_clock::now();
    int n;
    cin >> n;
    vector<int> a(n);
    for (int &x : a) cin >> x;
    sort(a.rbegin(), a.rend());
    cout << (n ? a[0] : 0) << '\n';
    auto ms = chrono::duration<double, milli>(chrono::high_resolution_clock::now() - begun);
    cerr << "time: " << ms.count() << " ms\n";
}
