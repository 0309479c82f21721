// time: φⁿ
// memory: 1
// input: size
// sizes: 1,5,10,15,20,24,28,31,34,37
// n_max: 37
#include <bits/stdc++.h>
using namespace std;
long long ways(int n) { return n <= 1 ? 1 : ways(n - 1) + ways(n - 2); }
int main() {
    int n;
    cin >> n;
    cout << ways(n) << endl;
}
