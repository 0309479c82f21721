#include <cstdio>
#include <vector>
using namespace std;
struct Node { int value, next; };
int main() {
    int n;
    scanf("%d", &n);
    vector<Node> nodes{{0, 0}};
    long sum = 0;
    for (int i = 0; i < n; ++i) {
        char kind;
        int place, value;
        scanf(" %c %d", &kind, &place);
        int at = 0;
        while (place > 0 && nodes[at].next) at = nodes[at].next, --place;
        if (kind == '+') {
            scanf("%d", &value);
            nodes.push_back({value, nodes[at].next});
            nodes[at].next = nodes.size() - 1;
        } else if (kind == '-') {
            if (nodes[at].next) nodes[at].next = nodes[nodes[at].next].next;
        } else {
            sum += nodes[at].value;
        }
    }
    printf("%ld\n", sum);
}
