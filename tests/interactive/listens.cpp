// Waits for a message first.
#include <cstdio>

int main() { return std::getchar() == EOF ? 1 : 0; }
