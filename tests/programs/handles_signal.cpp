// Catches its own crash and exits.
#include <csignal>
#include <unistd.h>

static void caught(int) { _exit(1); }

int main() {
  std::signal(SIGSEGV, caught);
  *static_cast<volatile int *>(nullptr) = 1;
}
