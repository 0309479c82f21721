// Finds a maximum flow from node 1 to node n by Dinic's algorithm, with unit capacities.
// input: graph.yaml
// sizes: 100,1000,5000,20000
#include <bits/stdc++.h>
using namespace std;
vector<int> head, nxt, to, room, level, it;
void edge(int a, int b) {
    for (int i = 0; i < 2; ++i, swap(a, b))
        nxt.push_back(head[a]), head[a] = to.size(), to.push_back(b), room.push_back(1);
}
int push(int at, int goal, int most) {
    if (at == goal) return most;
    for (int &e = it[at]; e >= 0; e = nxt[e])
        if (room[e] && level[to[e]] == level[at] + 1)
            if (int got = push(to[e], goal, min(most, room[e]))) {
                room[e] -= got, room[e ^ 1] += got;
                return got;
            }
    return 0;
}
int main() {
    int n, m, flow = 0;
    scanf("%d %d", &n, &m);
    head.assign(n + 1, -1);
    for (int a, b; m-- && scanf("%d %d", &a, &b) == 2;) edge(a, b);
    for (;;) {
        level.assign(n + 1, -1), level[1] = 0;
        queue<int> open({1});
        for (; !open.empty(); open.pop())
            for (int e = head[open.front()]; e >= 0; e = nxt[e])
                if (room[e] && level[to[e]] < 0)
                    level[to[e]] = level[open.front()] + 1, open.push(to[e]);
        if (level[n] < 0) break;
        it = head;
        while (int got = push(1, n, 1 << 30)) flow += got;
    }
    printf("%d\n", flow);
}
