// Waits to be told something first.
#include <cstdio>

int main() { return std::getchar() == EOF ? 1 : 0; }
