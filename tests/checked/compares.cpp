// A checker with testlib's arguments and exit codes that compares one number.
#include <fstream>
#include <iostream>

int main(int argc, char **argv) {
  if (argc != 4) return 3;
  int n, answer, expected;
  if (!(std::ifstream(argv[1]) >> n) || n != 10 || !(std::ifstream(argv[3]) >> expected)) return 3;
  if (!(std::ifstream(argv[2]) >> answer)) return 2;
  std::cerr << (answer == expected ? "ok" : "wrong answer") << " " << answer << "\nmore\n";
  return answer == expected ? 0 : 1;
}
