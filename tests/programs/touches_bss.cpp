// A global array of 1 GiB, of which every page is to be written.
static char array[1 << 30];

int main() {
  for (long i = 0; i < 1 << 30; i += 4096) static_cast<volatile char *>(array)[i] = 1;
}
