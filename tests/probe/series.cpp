// What a program may try while it is counted on many inputs in one process. The input names what.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <iostream>
#include <string>
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

// Once, translated code left for the counter by pointers at this address.
static void escape() {
    uint64_t* context = reinterpret_cast<uint64_t*>(0x68000000);
    for (int at = 32; at < 120; at++) context[at] = reinterpret_cast<uint64_t>(&escape);
    getpid();
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
    }
}
