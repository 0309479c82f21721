// time: n
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: Each line is flushed: a system call a line.
#include <iostream>
using namespace std;
int main() {
    int n;
    cin >> n;
    for (int i = 1; i <= n; i++) {
        cout << i % 10 << endl;
    }
    return 0;
}
