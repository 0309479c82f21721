// Writes its input back, byte for byte.
#include <cstdio>

int main() {
    static char block[1 << 16];
    while (std::size_t count = std::fread(block, 1, sizeof block, stdin))
        if (std::fwrite(block, 1, count, stdout) != count) return 1;
}
