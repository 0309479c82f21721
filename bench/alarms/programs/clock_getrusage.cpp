// Asks for its processor time at the end, and writes it to stderr.
// varies: work
#include <iostream>
#include <set>
#include <sys/resource.h>
int main() {
    int n;
    std::cin >> n;
    std::set<unsigned> seen;
    unsigned x = 7;
    for (int i = 0; i < n; ++i) seen.insert(x = x * 1103515245 + 12345);
    std::cout << seen.size() << '\n';
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    std::cerr << used.ru_utime.tv_usec << " us, " << used.ru_maxrss << " KiB\n";
}
