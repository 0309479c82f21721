// Ends well unless its malloc is recorded; then it crashes in the middle of its work.
#include <cstdint>
#include <csignal>
#include <cstring>
#include <cstdio>

int main() {
    for (int i = 0; i < 50; ++i) {
        char* block = new char[100];
        asm volatile("" : : "r"(block) : "memory");
    }
    std::FILE* maps = std::fopen("/proc/self/maps", "r");
    static char line[1000];
    while (maps && std::fgets(line, sizeof line, maps))
        if (std::strstr(line, "rw-s")) std::raise(SIGKILL);
    return 0;
}
