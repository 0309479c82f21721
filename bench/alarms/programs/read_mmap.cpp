// Maps its input into memory, or reads it if it is no file.
// input: array.yaml
#include <cstdio>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
int main() {
    struct stat file;
    fstat(0, &file);
    size_t size = file.st_size;
    void *mapped = size ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, 0, 0) : MAP_FAILED;
    std::string text;
    if (mapped == MAP_FAILED)
        for (char c; read(0, &c, 1) == 1;) text += c;
    const char *at = mapped == MAP_FAILED ? text.data() : static_cast<char *>(mapped);
    if (mapped == MAP_FAILED) size = text.size();
    unsigned long long hash = 14695981039346656037ull;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ (unsigned char)at[i]) * 1099511628211ull;
    printf("%llu\n", hash);
}
