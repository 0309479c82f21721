// time: n^4
// memory: n² | n
// input: ../inputs/matrix.yaml
// sizes: 10,20,30,40,60,80,100,130
// n_max: 130
// note: Submatrices whose sum is divisible by 7; n is the side.
#include <iostream>
using namespace std;

long long pre[205][205];

int main() {
    int n;
    cin >> n;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            long long x;
            cin >> x;
            pre[i][j] = x + pre[i - 1][j] + pre[i][j - 1] - pre[i - 1][j - 1];
        }
    long long count = 0;
    for (int r1 = 1; r1 <= n; r1++)
        for (int c1 = 1; c1 <= n; c1++)
            for (int r2 = r1; r2 <= n; r2++)
                for (int c2 = c1; c2 <= n; c2++) {
                    long long sum = pre[r2][c2] - pre[r1 - 1][c2] - pre[r2][c1 - 1] + pre[r1 - 1][c1 - 1];
                    if (sum % 7 == 0) count++;
                }
    cout << count << endl;
    return 0;
}
