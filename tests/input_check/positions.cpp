// Reads its input in the way that the first byte names. The last way knows the answer already.
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

static void read_all(int file) {
  static char block[4096];
  while (read(file, block, sizeof block) > 0) {
  }
}

int main() {
  char way = 0;
  if (read(STDIN_FILENO, &way, 1) != 1) return 1;
  std::string word;
  int byte = 0;
  if (way == 'c') {
    while (std::cin >> word) {
    }
  } else if (way == 'f') {
    std::cin.tie(nullptr)->sync_with_stdio(false);
    while (std::getline(std::cin, word)) {
    }
  } else if (way == 's') {
    while (std::scanf("%d", &byte) == 1) {
    }
  } else if (way == 'g') {
    while ((byte = std::getchar()) != EOF) {
    }
  } else if (way == 'r') {
    read_all(STDIN_FILENO);
  } else if (way == 'm') {
    lseek(STDIN_FILENO, 0, SEEK_SET);
    mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0);
  } else if (way == 'o') {
    lseek(STDIN_FILENO, 0, SEEK_SET);
    read_all(open("/dev/stdin", O_RDONLY));
  } else if (way == 'b') {
    std::cin.tie(nullptr)->sync_with_stdio(false);
    std::cin >> word;
  }
  std::puts("7");
}
