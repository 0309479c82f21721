// Sums all numbers of its input, and fails unless there are as many as the first one says.
#include <cstdio>

static long long number(bool& there) {
    int letter = getchar_unlocked();
    while (letter == ' ' || letter == '\n') letter = getchar_unlocked();
    there = letter != EOF;
    long long value = 0;
    for (; letter >= '0' && letter <= '9'; letter = getchar_unlocked())
        value = 10 * value + letter - '0';
    return value;
}

int main() {
    bool there = false;
    long long left = number(there), sum = 0;
    for (long long value = number(there); there; value = number(there), --left) sum += value;
    std::printf("%lld\n", sum);
    return left == 0 ? 0 : 3;
}
