// Fills the working folder, file after file.
#include <cstdio>
#include <cstring>
#include <string>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  static char block[1 << 20];
  std::memset(block, 1, sizeof block);
  for (int file = 0; file < 64; ++file) {
    std::FILE *out = std::fopen(("/tmp/fill" + std::to_string(file)).c_str(), "w");
    if (out == nullptr) return 3;
    for (int i = 0; i < 16; ++i)
      if (std::fwrite(block, sizeof block, 1, out) != 1) return 4;
    if (std::fclose(out) != 0) return 5;
  }
}
