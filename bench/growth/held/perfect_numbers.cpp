// time: n√n
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: The divisors of each number are found up to its root.
#include <iostream>
using namespace std;

int divisorSum(int x) {
    int sum = 1;
    for (int d = 2; d * d <= x; d++) {
        if (x % d == 0) {
            sum += d;
            if (d != x / d) sum += x / d;
        }
    }
    return sum;
}

int main() {
    int n;
    cin >> n;
    int perfect = 0, abundant = 0;
    for (int x = 2; x <= n; x++) {
        int s = divisorSum(x);
        if (s == x) {
            cout << x << " ";
            perfect++;
        } else if (s > x) {
            abundant++;
        }
    }
    cout << endl << perfect << " " << abundant << endl;
    return 0;
}
