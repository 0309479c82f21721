// Exits in the destructor of a global object, after main.
#include <unistd.h>

struct Leaves {
  ~Leaves() { _exit(9); }
} leaves;

int main() { return 0; }
