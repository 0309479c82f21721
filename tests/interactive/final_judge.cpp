// Reads to the end, and accepts if the last byte but one is a 7.
#include <cstdio>
#include <string>

int main() {
  std::string all;
  for (int byte; (byte = std::getchar()) != EOF;) all += static_cast<char>(byte);
  if (all.size() >= 2 && all[all.size() - 2] == '7') return 0;
  std::fprintf(stderr, "the last number is no 7\n");
  return 1;
}
