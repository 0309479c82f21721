// The length of an array of objects comes before the first one, so pointers to it are not to the
// block's start. The pointer to a second base is not either.
#include <string>

struct Named {
    virtual ~Named() = default;
    std::string name = std::string(40, 'x');
};
struct Counted {
    virtual ~Counted() = default;
    long count = 1;
};
struct Both : Named, Counted {};

std::string* kept;
Counted* second;

__attribute__((noinline)) void lose(int count) {
    std::string* names = new std::string[count];
    names[0] = std::string(60, 'y');
    asm volatile("" : : "r"(names) : "memory");
}

int main() {
    kept = new std::string[3];
    kept[2] = std::string(50, 'z');
    second = new Both;
    lose(4);
    return second->count == 1 ? 0 : 1;
}
