// Allocates n nodes of a list and frees them.
#include <iostream>
struct Node { Node *next; long value; };
int main() {
    int n;
    std::cin >> n;
    Node *first = nullptr;
    for (int i = 0; i < n; ++i) first = new Node{first, i};
    long sum = 0;
    while (Node *gone = first) sum += gone->value, first = gone->next, delete gone;
    std::cout << sum << '\n';
}
