// Touches 64 MiB that the program file does not have.
static volatile char zeroes[64 << 20];

int main() {
  for (unsigned at = 0; at < sizeof zeroes; at += 4096) zeroes[at] = 1;
}
