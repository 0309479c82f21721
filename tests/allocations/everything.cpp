// Makes a call of each kind before main, in it and after it; three blocks are left.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

// Keeps compilers from removing allocations that have no use.
template <class T>
T* seen(T* block) {
    asm volatile("" : "+r"(block) : : "memory");
    return block;
}

static std::vector<int> early(1000);

struct Late {
    ~Late() { delete seen(new long); }
} late;

__attribute__((noinline)) int* leaks(int count) {
    int* block = seen(new int[count]); // leaks 400 bytes
    block[1] = 1;
    return seen(block);
}

int main() {
    leaks(100);
    void* block = seen(std::malloc(10));
    block = seen(std::realloc(block, 100000));
    block = seen(std::realloc(block, 20));
    std::free(block);
    std::free(seen(std::realloc(nullptr, 7)));
    std::free(nullptr);
    delete seen(static_cast<int*>(nullptr));
    if (void* none = seen(std::realloc(seen(std::malloc(3)), 0))) std::free(none);
    if (posix_memalign(&block, 64, 100)) return 1;
    std::free(seen(block));
    if (posix_memalign(&block, 3, 100) == 0) return 2;
    std::free(seen(aligned_alloc(64, 128)));
    char* copy = seen(strdup("hello")); // leaks 6 bytes
    std::string text(100, 'x');
    const char* cleared = seen(static_cast<char*>(calloc(25, 4))); // leaks 100 bytes
    return copy[0] == 'h' && seen(&text)->size() == 100 && cleared[99] == 0 ? 0 : 3;
}
