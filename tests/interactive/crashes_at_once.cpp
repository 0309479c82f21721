// Crashes before any message.
#include <cstdlib>

int main() { std::abort(); }
