// Sends every signal to process 1, which may handle some of them.
#include <csignal>
#include <unistd.h>

int main() {
  for (int round = 0; round < 20; ++round) {
    for (int signal = 1; signal <= 64; ++signal) kill(1, signal);
    usleep(500);
  }
}
