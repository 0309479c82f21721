#include <cstdio>
#include <vector>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<long> x(n), y(n);
    int first = 0, corners = 0;
    for (int i = 0; i < n; ++i) {
        scanf("%ld %ld", &x[i], &y[i]);
        if (x[i] < x[first] || (x[i] == x[first] && y[i] < y[first])) first = i;
    }
    int at = first;
    do {
        int best = (at + 1) % n;
        for (int i = 0; i < n; ++i) {
            long turn = (x[best] - x[at]) * (y[i] - y[at]) - (y[best] - y[at]) * (x[i] - x[at]);
            if (turn < 0) best = i;
        }
        at = best;
    } while (++corners < n && at != first);
    printf("%d\n", corners);
}
