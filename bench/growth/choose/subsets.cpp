// time: 2ⁿ
// memory: 1 | n
// input: size
// sizes: 1,5,10,14,17,20,22,24,26
// n_max: 26
#include <bits/stdc++.h>
using namespace std;

int n;
long long target, found;
vector<long long> a;

void search(int i, long long sum) {
    if (i == n) {
        if (sum == target) found++;
        return;
    }
    search(i + 1, sum);
    search(i + 1, sum + a[i]);
}

int main() {
    cin >> n;
    for (int i = 0; i < n; i++) a.push_back(i * 37 % 101 + 1);
    target = 50LL * n / 2;
    search(0, 0);
    cout << found << endl;
}
