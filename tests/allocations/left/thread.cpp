// Threads that have ended: one loses a block, and one leaves a block in a static variable.
#include <thread>

int* kept;

__attribute__((noinline)) void lose(int count) {
    int* block = new int[count];
    asm volatile("" : : "r"(block) : "memory");
}

int main() {
    std::thread([] { lose(30); }).join();
    std::thread([] { kept = new int[20](); }).join();
    return kept[19];
}
