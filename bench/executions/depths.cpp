#include <algorithm>
#include <functional>
#include <iostream>
#include <vector>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<vector<int>> next(n + 1);
    for (int i = 1, a, b; i < n; ++i) {
        cin >> a >> b;
        next[a].push_back(b);
        next[b].push_back(a);
    }
    long sum = 0;
    function<int(int, int, int)> down = [&](int at, int from, int depth) {
        int size = 1;
        for (int to : next[at])
            if (to != from) size += down(to, at, depth + 1);
        sum += (long)depth * size;
        return size;
    };
    down(1, 0, 0);
    cout << sum << endl;
}
