// exit does not leave main: what main's variables hold stays reachable, and statics are destroyed.
#include <cstdlib>
#include <vector>

static std::vector<int> global(10);

__attribute__((noinline)) void stop(const std::vector<int>* numbers) {
    if (numbers->size() == 100) std::exit(0);
}

int main() {
    std::vector<int> numbers(100);
    stop(&numbers);
    return int(numbers.size() + global.size());
}
