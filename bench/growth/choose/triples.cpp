// time: n³
// memory: 1 | n
// input: ../inputs/array.yaml
// sizes: 50,100,200,300,500,800
// n_max: 800
#include <iostream>
#include <vector>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> a(n);
    for (auto& x : a) cin >> x;
    long long count = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = j + 1; k < n; k++)
                if (((a[i] ^ a[j]) + a[k]) % 5 == 0) count++;
    cout << count << '\n';
}
