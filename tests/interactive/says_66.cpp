// Says what is right and does not stay to hear so.
#include <cstdio>

int main() { std::puts("66"); }
