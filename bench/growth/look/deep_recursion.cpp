// time: n
// memory: n
// input: size
// sizes: default
// n_max: 100000
#include <iostream>
using namespace std;

long long walk(int i, int n, long long seed) {
    if (i == n) return seed % 1000;
    long long next = (seed * 48271 + i) % 2147483647;
    long long rest = walk(i + 1, n, next);
    return rest % 2 == 0 ? rest / 2 + next % 10 : rest + 3;
}

int main() {
    int n;
    cin >> n;
    cout << walk(0, n, 1) << endl;
}
