// A million blocks that are live together.
struct Node {
    Node* next;
    long value;
};

int main() {
    Node* first = nullptr;
    for (int i = 0; i < 1000000; ++i) first = new Node{first, i};
    long sum = 0;
    while (first) {
        Node* gone = first;
        first = first->next;
        sum += gone->value;
        delete gone;
    }
    return sum == 499999500000 ? 0 : 1;
}
