// A global array of 1 GiB, every page of which is written.
static char array[1 << 30];

int main() {
  for (long i = 0; i < 1 << 30; i += 4096) static_cast<volatile char *>(array)[i] = 1;
}
