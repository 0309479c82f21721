// time: n·2ⁿ
// memory: 1
// input: size
// sizes: 1,4,8,12,14,16,18,20,21,22
// n_max: 24
// note: n 2ⁿ steps.
#include <iostream>
using namespace std;
int main() {
    int n;
    cin >> n;
    int w[32];
    for (int i = 0; i < n; i++) w[i] = i * i % 23 + 1;
    int best = 0, limit = n * 5;
    for (int mask = 0; mask < (1 << n); mask++) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            if (mask & (1 << i)) sum += w[i];
        if (sum <= limit && sum > best) best = sum;
    }
    cout << best << endl;
}
