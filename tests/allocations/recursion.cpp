// Makes the nodes of a tree at all depths, and a list by two functions that call each other.
struct Node {
    Node* children[2];
};

__attribute__((noinline)) Node* grown(int low, int high) {
    Node* node = new Node{}; // 9999 nodes
    if (low + 1 == high) return node;
    const int middle = (low + high) / 2;
    node->children[0] = grown(low, middle);
    node->children[1] = grown(middle, high);
    return node;
}

Node* odd(int);

__attribute__((noinline)) Node* even(int n) {
    Node* rest = n ? odd(n - 1) : nullptr;
    return new Node{{rest, nullptr}}; // 51 nodes
}

__attribute__((noinline)) Node* odd(int n) {
    Node* rest = even(n - 1);
    return new Node{{rest, nullptr}}; // 50 nodes
}

int main() { return grown(0, 5000) && even(100) ? 0 : 1; }
