// The column of each row of a matrix, all different, with the least sum.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, 16);
  std::vector<Numbers> costs;
  for (Number row = 0; row < n; ++row) costs.push_back(task.numbers(n, 0, MOST));
  Number sum = 0;
  std::set<Number> columns;
  for (Number row = 0; row < n; ++row) {
    const Number column = output.number(1, n);
    if (!columns.insert(column).second) reject("a column is used twice");
    sum += costs[row][column - 1];
  }
  output.end();
  Numbers least(1 << n, MOST);  // For each set of columns of the first rows.
  least[0] = 0;
  for (unsigned used = 0; used + 1 < least.size(); ++used) {
    const int row = __builtin_popcount(used);
    for (Number column = 0; column < n; ++column) {
      if (used >> column & 1) continue;
      Number &next = least[used | 1U << column];
      next = std::min(next, least[used] + costs[row][column]);
    }
  }
  if (sum != least.back()) reject("there is a smaller sum");
  accept();
}
