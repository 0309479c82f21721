// Has its own operator new, whose calls are recorded.
#include <cstdio>
#include <cstdlib>
#include <new>

static int calls;

void* operator new(std::size_t bytes) {
    ++calls;
    if (void* made = std::malloc(bytes)) return made;
    throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

int main() {
    for (int i = 0; i < 5; ++i) delete[] new char[50];
    return calls == 5 ? 0 : 1;
}
