// The places of a longest increasing subsequence.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST);
  const Numbers list = task.numbers(n, 1, MOST), places = output.rest(1, n);
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i] <= places[i - 1]) reject("the places do not increase");
    if (list[places[i] - 1] <= list[places[i - 1] - 1]) reject("the numbers do not increase");
  }
  Numbers ends;  // The smallest last number of a subsequence of each length.
  for (const Number value : list) {
    const auto end = std::lower_bound(ends.begin(), ends.end(), value);
    if (end == ends.end()) ends.push_back(value);
    else *end = value;
  }
  if (places.size() != ends.size()) reject("the length is another");
  accept();
}
