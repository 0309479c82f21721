// Builds its whole output in a string and writes it at once.
#include <cstdio>
#include <string>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::string out;
    for (int i = 0; i < n; ++i) out += std::to_string(1ll * i * i), out += ' ';
    fwrite(out.data(), 1, out.size(), stdout);
}
