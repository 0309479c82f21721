// Makes as many files as it can.
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (int i = 0; i < 1000000; ++i) {
    int file = open(("/tmp/" + std::to_string(i)).c_str(), O_CREAT | O_WRONLY, 0600);
    if (file < 0) return 3;
    close(file);
  }
}
