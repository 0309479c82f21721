// Is gone before anything is said.
#include <cstdlib>

int main() { std::abort(); }
