// The places of a largest set of intervals that do not overlap. They may touch.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST);
  std::vector<std::pair<Number, Number>> intervals;  // The end of each, and its begin.
  for (Number i = 0; i < n; ++i) {
    const Number begin = task.number(0, MOST);
    intervals.emplace_back(task.number(begin + 1, MOST), begin);
  }
  const auto count = [](std::vector<std::pair<Number, Number>> of) {
    std::sort(of.begin(), of.end());
    Number last = 0;
    std::size_t kept = 0;
    for (const auto &[end, begin] : of)
      if (begin >= last) last = end, ++kept;
    return kept;
  };
  std::vector<std::pair<Number, Number>> chosen;
  std::set<Number> places;
  for (const Number place : output.rest(1, n)) {
    if (!places.insert(place).second) reject("an interval is chosen twice");
    chosen.push_back(intervals[place - 1]);
  }
  if (count(chosen) != chosen.size()) reject("intervals overlap");
  if (chosen.size() != count(intervals)) reject("more intervals are possible");
  accept();
}
