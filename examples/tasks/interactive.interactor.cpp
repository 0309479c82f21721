// Knows a number between 1 and n and says whether a guess is too large or too small.
#include <fstream>
#include <iostream>

int main(int, char** argv) {
    std::ifstream input(argv[1]);
    long long n = 0, secret = 0, guess = 0;
    input >> n >> secret;
    std::cout << n << std::endl;
    for (int tries = 0; std::cin >> guess; ++tries) {
        if (tries > 64) {
            std::cerr << "more than 64 guesses\n";
            return 1;
        }
        if (guess == secret) {
            std::cout << '=' << std::endl;
            return 0;
        }
        std::cout << (secret < guess ? '<' : '>') << std::endl;
    }
    // Without a number there is nothing to guess.
    return n == 0 ? 0 : 1;
}
