#include <cstdio>
#include <vector>
using namespace std;

struct Node { int key; Node *child[2]; };
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    Node *root = nullptr;
    for (int x : a) {
        Node **at = &root;
        while (*at) at = &(*at)->child[(*at)->key <= x];
        *at = new Node{x, {nullptr, nullptr}};
    }
    printf("%d\n", root ? root->key : 0);
}
