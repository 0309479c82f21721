// The nodes of a path that takes each edge once.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST), m = task.number(1, MOST);
  std::multiset<std::pair<Number, Number>> left;
  for (Number i = 0; i < m; ++i) {
    const Number a = task.number(1, n), b = task.number(1, n);
    left.insert(std::minmax({a, b}));
  }
  Number last = output.number(1, n);
  for (const Number node : output.numbers(m, 1, n)) {
    const auto edge = left.find(std::minmax({last, node}));
    if (edge == left.end()) reject("there is no such edge");
    left.erase(edge);
    last = node;
  }
  output.end();
  accept();
}
