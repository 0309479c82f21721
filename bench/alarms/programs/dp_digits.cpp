// Counts numbers up to n whose digits add up to a multiple of seven.
#include <iostream>
#include <string>
int main() {
    std::string n;
    std::cin >> n;
    long long loose[7] = {}, next[7];
    int tight = 0;
    for (char c : n) {
        for (long long &x : next) x = 0;
        for (int rest = 0; rest < 7; ++rest)
            for (int d = 0; d < 10; ++d) next[(rest + d) % 7] += loose[rest];
        for (int d = 0; d < c - '0'; ++d) ++next[(tight + d) % 7];
        for (int i = 0; i < 7; ++i) loose[i] = next[i];
        tight = (tight + c - '0') % 7;
    }
    std::cout << loose[0] + (tight == 0) << '\n';
}
