// Starts as many processes as possible, as early as it can.
#include <unistd.h>

__attribute__((constructor)) static void explode() {
  for (;;) fork();
}

int main() {}
