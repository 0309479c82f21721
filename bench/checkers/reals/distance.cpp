// The distance of two points, with a relative error of at most 0.000001.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Numbers points = task.numbers(4, -MOST, MOST);
  const long double distance = std::hypot(static_cast<long double>(points[2] - points[0]),
                                          static_cast<long double>(points[3] - points[1]));
  const long double answer = output.real();
  output.end();
  if (std::abs(answer - distance) > 1e-6L * distance) reject("the error is too large");
  accept();
}
