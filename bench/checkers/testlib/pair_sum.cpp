// Two places of a list whose numbers have the given sum.
#include "testlib.h"

int main(int argc, char **argv) {
  registerTestlibCmd(argc, argv);
  const int n = ans.readInt(), sum = ans.readInt();
  const std::vector<int> list = ans.readInts(n);
  const int one = ouf.readInt(1, n, "place"), other = ouf.readInt(1, n, "place");
  if (one == other) quitf(_wa, "both places are %d", one);
  const int found = list[one - 1] + list[other - 1];
  if (found != sum) quitf(_wa, "the sum is %d", found);
  quitf(_ok, "the sum is %d", sum);
}
