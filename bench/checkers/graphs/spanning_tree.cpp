// The numbers of the edges of a spanning tree of the least weight.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST), m = task.number(1, MOST);
  std::vector<std::array<Number, 3>> edges;  // The weight of each, and its ends.
  for (Number i = 0; i < m; ++i) {
    const Number a = task.number(1, n), b = task.number(1, n);
    edges.push_back({task.number(1, MOST), a, b});
  }
  // The number of edges that join parts, and their weight.
  const auto joined = [n](const std::vector<std::array<Number, 3>> &edges) {
    Numbers parents(n + 1);
    std::iota(parents.begin(), parents.end(), 0);
    const std::function<Number(Number)> root = [&](Number node) {
      return parents[node] == node ? node : parents[node] = root(parents[node]);
    };
    std::pair<Number, Number> found;
    for (const auto &[weight, a, b] : edges) {
      if (root(a) == root(b)) continue;
      parents[root(a)] = root(b);
      ++found.first;
      found.second += weight;
    }
    return found;
  };
  std::vector<std::array<Number, 3>> chosen;
  for (const Number edge : output.numbers(n - 1, 1, m)) chosen.push_back(edges[edge - 1]);
  output.end();
  const auto [count, weight] = joined(chosen);
  if (count != n - 1) reject("the edges are no tree");
  std::sort(edges.begin(), edges.end());
  if (weight != joined(edges).second) reject("there is a lighter tree");
  accept();
}
