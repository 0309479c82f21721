// A permutation of 1 to n in which no two neighbors are consecutive.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST);
  std::vector<bool> is_used(n);
  Number last = -1;
  for (const Number value : output.numbers(n, 1, n)) {
    if (is_used[value - 1]) reject("a number occurs twice");
    if (std::abs(value - last) == 1) reject("neighbors are consecutive");
    is_used[value - 1] = true;
    last = value;
  }
  output.end();
  accept();
}
