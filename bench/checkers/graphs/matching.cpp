// The edges of a largest matching, each as its left and its right end.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number lefts = task.number(1, MOST), rights = task.number(1, MOST);
  const Number m = task.number(1, MOST);
  std::vector<std::set<Number>> neighbors(lefts + 1);
  for (Number i = 0; i < m; ++i) {
    const Number left = task.number(1, lefts);
    neighbors[left].insert(task.number(1, rights));
  }
  std::set<Number> used_lefts, used_rights;
  while (!output.has_ended()) {
    const Number left = output.number(1, lefts), right = output.number(1, rights);
    if (neighbors[left].count(right) == 0) reject("there is no such edge");
    if (!used_lefts.insert(left).second) reject("a left node is matched twice");
    if (!used_rights.insert(right).second) reject("a right node is matched twice");
  }
  Numbers partners(rights + 1);
  std::vector<bool> is_visited;
  const std::function<bool(Number)> augment = [&](Number left) {
    for (const Number right : neighbors[left]) {
      if (is_visited[right]) continue;
      is_visited[right] = true;
      if (partners[right] == 0 || augment(partners[right])) return partners[right] = left, true;
    }
    return false;
  };
  std::size_t most = 0;
  for (Number left = 1; left <= lefts; ++left) {
    is_visited.assign(rights + 1, false);
    most += augment(left);
  }
  if (used_lefts.size() != most) reject("there is a larger matching");
  accept();
}
