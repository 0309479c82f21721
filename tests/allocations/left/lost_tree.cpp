// A tree whose root is lost, and with it all of its nodes.
struct Node {
    Node* children[2] = {};
    int depth;
};

__attribute__((noinline)) Node* grown(int depth) {
    Node* node = new Node{{}, depth};
    if (depth > 0)
        for (Node*& child : node->children) child = grown(depth - 1);
    return node;
}

Node* root;

int main() {
    root = grown(5);
    const int depth = root->depth;
    root = nullptr;
    return depth == 5 ? 0 : 1;
}
