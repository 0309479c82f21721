// time: n^4
// memory: 1
// input: size
// sizes: 10,20,40,60,90,120
// n_max: 120
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    long long count = 0;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++)
                for (int d = 0; d < n; d++) count += (a * b + c * d) % 11 == 3;
    cout << count << endl;
}
