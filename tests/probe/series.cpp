// What a program may try while it is counted on many inputs in one process. The input names what.
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <iostream>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

using namespace std;

static string wish;

static int processes() {
    int count = 0;
    if (DIR* proc = opendir("/proc")) {
        while (dirent* entry = readdir(proc)) count += atoi(entry->d_name) > 1;
        closedir(proc);
    }
    return count;
}

// Runs outside of the counter: nothing is translated or refused here.
[[noreturn]] static void escaped() {
    if (wish == "fork_bomb") {
        for (;;) syscall(SYS_fork);
    }
    if (wish == "outlives") {
        if (syscall(SYS_fork) == 0) {
            setsid();
            for (;;) pause();
        }
    }
    if (wish == "kills") {
        kill(1, SIGKILL);
        kill(-1, SIGKILL);
    }
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    for (unsigned fd = 3; wish == "scribbles" && fd < limit.rlim_cur; fd++) {
        const char forged[] = "exited 0 instructions 1\nexited 0 instructions 2\n\n";
        (void)!pwrite(fd, forged, sizeof forged, 0);
        (void)!write(fd, forged, sizeof forged);
        (void)!ftruncate(fd, 1 << 20);
    }
    _exit(0);
}

// The counter shares its memory with the program. At a fixed address are pointers to the counter's
// own code, by which translated code leaves for it: six in a row, after one to its data.
static void escape() {
    uint64_t* context = reinterpret_cast<uint64_t*>(0x68000000);
    for (int at = 32; at < 120; at++) {
        bool is_row = true;
        for (int next = at; next < at + 6; next++) is_row &= context[next] >> 44 != 0;
        if (!is_row) continue;
        for (int next = at; next < at + 6; next++) context[next] = reinterpret_cast<uint64_t>(&escaped);
        getpid();
    }
}

int main() {
    long n = 0;
    cin >> wish >> n;
    if (wish == "sorts") {
        vector<long> v(n);
        for (long i = 0; i < n; i++) v[i] = i * 7919 % (n + 1);
        for (size_t i = 1; i < v.size(); i++)
            for (size_t j = i; j > 0 && v[j - 1] > v[j]; j--) swap(v[j], v[j - 1]);
        cout << v.size() << '\n';
    } else if (wish == "lists") {
        cout << processes() << '\n';
    } else if (wish == "hogs") {
        for (;;) memset(malloc(1 << 24), 1, 1 << 24);
    } else if (wish == "sleeps") {
        for (;;) pause();
    } else if (wish == "forks") {
        fork();
    } else {
        escape();
        return 1;
    }
}
