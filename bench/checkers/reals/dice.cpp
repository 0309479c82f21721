// The probability that some dice show at least a sum, and the mean number of throws until they do.
// The error of each may be 0.000001: absolute below 1, relative above.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number dice = task.number(1, 20), least = task.number(dice, 6 * dice);
  std::vector<long double> chances{1};  // Of each sum.
  for (Number i = 0; i < dice; ++i) {
    std::vector<long double> next(chances.size() + 6);
    for (std::size_t sum = 0; sum < chances.size(); ++sum)
      for (std::size_t face = 1; face <= 6; ++face) next[sum + face] += chances[sum] / 6;
    chances = next;
  }
  const long double chance = std::accumulate(chances.begin() + least, chances.end(), 0.0L);
  for (const long double expected : {chance, 1 / chance}) {
    const long double error = std::abs(output.real() - expected);
    if (error > 1e-6L * std::max(1.0L, expected)) reject("the error is too large");
  }
  output.end();
  accept();
}
