// A permutation of 1 to n in which no two neighbors are consecutive.
#include "testlib.h"

int main(int argc, char **argv) {
  registerTestlibCmd(argc, argv);
  const int n = ans.readInt();
  const std::vector<int> answer = ouf.readInts(n, 1, n, "number");
  if (std::set<int>(answer.begin(), answer.end()).size() != answer.size())
    quitf(_wa, "a number occurs twice");
  for (int i = 1; i < n; ++i)
    if (std::abs(answer[i] - answer[i - 1]) == 1) quitf(_wa, "neighbors are consecutive");
  quitf(_ok, "%d numbers", n);
}
