// The square root of a number, with an absolute error of at most 0.000001.
#include "testlib.h"

int main(int argc, char **argv) {
  registerTestlibCmd(argc, argv);
  const double root = std::sqrt(ans.readInt()), answer = ouf.readDouble();
  if (std::abs(answer - root) > 1e-6) quitf(_wa, "%.9f differs from %.9f", answer, root);
  quitf(_ok, "%.9f", answer);
}
