#include <cstdio>
#include <vector>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    vector<vector<int>> buckets(1024);
    int found = 0;
    for (int x : a) {
        vector<int> &bucket = buckets[x % 1024];
        bool has = false;
        for (int y : bucket) has |= x == y;
        if (has) ++found;
        else bucket.push_back(x);
    }
    printf("%d\n", found);
}
