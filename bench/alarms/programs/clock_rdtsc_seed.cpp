// Seeds a treap's priorities with the cycle counter; the order of the keys is the answer.
// input: array.yaml
// varies: work
#include <bits/stdc++.h>
#include <x86intrin.h>
using namespace std;
struct Node { int key; unsigned priority; Node *left = 0, *right = 0; };
unsigned state = unsigned(__rdtsc()) | 1;
unsigned next_random() { return state ^= state << 13, state ^= state >> 17, state ^= state << 5; }
Node *insert(Node *root, int key) {
    if (!root) return new Node{key, next_random()};
    if (key < root->key) {
        root->left = insert(root->left, key);
        if (root->left->priority > root->priority) {
            Node *up = root->left;
            root->left = up->right, up->right = root, root = up;
        }
    } else {
        root->right = insert(root->right, key);
        if (root->right->priority > root->priority) {
            Node *up = root->right;
            root->right = up->left, up->left = root, root = up;
        }
    }
    return root;
}
unsigned long long digest = 0;
void walk(Node *at) {
    if (!at) return;
    walk(at->left);
    digest = digest * 31 + at->key;
    walk(at->right);
}
int main() {
    int n, x;
    cin >> n;
    Node *root = 0;
    while (n-- && cin >> x) root = insert(root, x);
    walk(root);
    cout << digest << '\n';
}
