// Blocks next to each other, so that each moves when it grows: freed in one place and allocated in
// another.
#include <cstdlib>

void* blocks[1001];

int main() {
    for (void*& block : blocks) block = std::malloc(24);
    for (void*& block : blocks) block = std::realloc(block, 40);
}
