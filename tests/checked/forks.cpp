// A checker that accepts, and leaves processes behind that never end.
#include <unistd.h>

int main() {
  for (int i = 0; i < 8; ++i)
    if (fork() == 0)
      for (;;) pause();
}
