#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> a(n);
    for (int &x : a) cin >> x;
    sort(a.begin(), a.end());
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += (long)a[i] * i;
    cout << sum << '\n';
}
