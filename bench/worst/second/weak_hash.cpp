#include <cstdio>
#include <string>
#include <vector>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<vector<string>> buckets(1009);
    int distinct = 0;
    for (int i = 0; i < n; ++i) {
        char name[100];
        scanf("%99s", name);
        int hash = 0;
        for (char *c = name; *c; ++c) hash += *c;
        vector<string> &bucket = buckets[hash % 1009];
        bool found = false;
        for (string &other : bucket) {
            int j = 0;
            while (name[j] && name[j] == other[j]) ++j;
            if (name[j] == other[j]) found = true;
        }
        if (!found) bucket.push_back(name), ++distinct;
    }
    printf("%d\n", distinct);
}
