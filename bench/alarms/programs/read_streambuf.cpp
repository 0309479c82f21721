// Reads through the stream buffer of cin.
// input: string.yaml
#include <iostream>
int main() {
    std::streambuf *in = std::cin.rdbuf();
    unsigned hash = 5381;
    for (int c; (c = in->sbumpc()) != EOF;) hash = hash * 33 + c;
    std::cout << hash << '\n';
}
