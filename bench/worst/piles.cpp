#include <cstdio>
#include <vector>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    vector<int> tops;
    for (int x : a) {
        int pile = 0;
        while (pile < (int)tops.size() && tops[pile] < x) ++pile;
        if (pile == (int)tops.size()) tops.push_back(x);
        else tops[pile] = x;
    }
    printf("%zu\n", tops.size());
}
