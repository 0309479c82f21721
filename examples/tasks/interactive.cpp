// Guesses a number between 1 and n by halving the range. What to see: log n exchanges; runtime_ms
// is the program's own processor time, and the report shows the interactor's next to it.
#include <iostream>
#include <string>

int main() {
    long long low = 1, high = 0;
    std::cin >> high;
    while (low <= high) {
        long long guess = low + (high - low) / 2;
        std::cout << guess << std::endl;
        std::string answer;
        if (!(std::cin >> answer) || answer == "=") return 0;
        if (answer == "<") high = guess - 1;
        else low = guess + 1;
    }
}
