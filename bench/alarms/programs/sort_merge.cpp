// Sorts by a merge sort of its own.
// input: array.yaml
#include <cstdio>
#include <vector>
using namespace std;
void sorted(vector<int> &a, vector<int> &room, int from, int to) {
    if (to - from < 2) return;
    int middle = (from + to) / 2;
    sorted(a, room, from, middle), sorted(a, room, middle, to);
    for (int i = from, l = from, r = middle; i < to; ++i)
        room[i] = r == to || (l < middle && a[l] <= a[r]) ? a[l++] : a[r++];
    for (int i = from; i < to; ++i) a[i] = room[i];
}
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n), room(n);
    for (int &x : a) scanf("%d", &x);
    sorted(a, room, 0, n);
    printf("%d %d\n", n ? a.front() : 0, n ? a.back() : 0);
}
