// expects: nothing
// input: array.yaml
#include <cstdio>
#include <string>
#include <vector>

static int read_number() {
    int c = getchar_unlocked();
    while (c < '0') c = getchar_unlocked();
    int number = 0;
    for (; c >= '0'; c = getchar_unlocked()) number = number * 10 + (c - '0');
    return number;
}

int main() {
    int n = read_number();
    std::vector<int> a(n);
    for (int& x : a) x = read_number();
    int most = 0;
    for (int x : a) {
        if (x > most) {
            most = x;
            std::printf("%d\n", most);
        }
    }
    return 0;
}
