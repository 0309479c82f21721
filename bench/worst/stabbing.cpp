#include <cstdio>
#include <vector>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<int> inside(n + 1);
    for (int i = 0; i < n; ++i) {
        int low, high;
        scanf("%d %d", &low, &high);
        for (int at = low; at <= high; ++at) ++inside[at];
    }
    int most = 0;
    for (int count : inside) most = count > most ? count : most;
    printf("%d\n", most);
}
