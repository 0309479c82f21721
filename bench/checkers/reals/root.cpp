// The square root of a number, with an absolute error of at most 0.000001.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const long double root = std::sqrt(static_cast<long double>(task.number(0, MOST)));
  const long double answer = output.real();
  output.end();
  if (std::abs(answer - root) > 1e-6L) reject("the error is too large");
  accept();
}
