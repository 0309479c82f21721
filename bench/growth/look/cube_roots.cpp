// time: n^0.33
// memory: 1
// input: size
// sizes: 1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: A fixed count of cube roots by counting up.
#include <iostream>
int main() {
    long long n, sum = 0;
    std::cin >> n;
    for (int q = 0; q < 20000; q++) {
        long long x = n + q % 10, i = 0;
        while (i * i * i <= x) i++;
        sum += i;
    }
    std::cout << sum << "\n";
}
