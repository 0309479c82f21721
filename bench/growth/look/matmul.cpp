// time: n³
// memory: n²
// input: size
// sizes: 50,100,200,300,400,500,600
// n_max: 600
#include <iostream>
#include <vector>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<vector<double>> a(n, vector<double>(n)), b(a), c(a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = (i * 3 + j) % 17;
            b[i][j] = (i + j * 5) % 13;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
    double trace = 0;
    for (int i = 0; i < n; i++) trace += c[i][i];
    cout << trace << endl;
}
