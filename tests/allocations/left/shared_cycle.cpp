// Two objects that share each other, and one that its owner gave away.
#include <memory>

struct Node {
    std::shared_ptr<Node> other;
    std::unique_ptr<long> value = std::make_unique<long>(7);
};

__attribute__((noinline)) void cycle() {
    auto one = std::make_shared<Node>();
    one->other = std::make_shared<Node>();
    one->other->other = one;
}

__attribute__((noinline)) void give_away() {
    auto owner = std::make_unique<Node>();
    Node* given = owner.release();
    asm volatile("" : : "r"(given) : "memory");
}

int main() {
    cycle();
    give_away();
}
