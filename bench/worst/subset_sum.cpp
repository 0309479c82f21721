#include <cstdio>
#include <vector>
using namespace std;
int main() {
    int target;
    scanf("%d", &target);
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    vector<char> made(target + 1);
    made[0] = 1;
    for (int x : a) {
        for (int sum = target; sum >= x; --sum) made[sum] |= made[sum - x];
        if (made[target]) break;
    }
    puts(made[target] ? "yes" : "no");
}
