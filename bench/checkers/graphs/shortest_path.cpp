// The nodes of a shortest path from 1 to n.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST), m = task.number(1, MOST);
  std::map<std::pair<Number, Number>, Number> lengths;
  std::vector<Numbers> neighbors(n + 1);
  for (Number i = 0; i < m; ++i) {
    const Number a = task.number(1, n), b = task.number(1, n), length = task.number(1, MOST);
    for (const auto &edge : {std::pair(a, b), std::pair(b, a)}) {
      const auto [known, is_new] = lengths.emplace(edge, length);
      if (!is_new) known->second = std::min(known->second, length);
      neighbors[edge.first].push_back(edge.second);
    }
  }
  const Numbers path = output.rest(1, n);
  if (path.empty() || path.front() != 1 || path.back() != n) reject("the ends are others");
  Number length = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const auto edge = lengths.find({path[i - 1], path[i]});
    if (edge == lengths.end()) reject("there is no such edge");
    length += edge->second;
  }
  Numbers distances(n + 1, MOST);
  std::priority_queue<std::pair<Number, Number>> queue;  // Minus the distance, and the node.
  queue.emplace(distances[1] = 0, 1);
  while (!queue.empty()) {
    const auto [distance, node] = queue.top();
    queue.pop();
    if (-distance > distances[node]) continue;
    for (const Number next : neighbors[node]) {
      const Number through = lengths[{node, next}] - distance;
      if (through < distances[next]) queue.emplace(-(distances[next] = through), next);
    }
  }
  if (length != distances[n]) reject("there is a shorter path");
  accept();
}
