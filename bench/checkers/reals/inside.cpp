// A point inside of a convex polygon, not on its border, with at most six decimal places.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  constexpr Number UNIT = 1'000'000;
  const Number n = task.number(3, MOST);
  const Numbers corners = task.numbers(2 * n, -1000, 1000);
  Number place[2];
  for (Number &coordinate : place) {
    const long double answer = output.real();
    if (std::abs(answer) > 1000) reject("the point is outside");
    coordinate = std::llround(answer * UNIT);
  }
  output.end();
  for (Number i = 0; i < n; ++i) {
    const Number x = corners[2 * i], y = corners[2 * i + 1], next = (i + 1) % n;
    const Number dx = corners[2 * next] - x, dy = corners[2 * next + 1] - y;
    if (dx * (place[1] - y * UNIT) <= dy * (place[0] - x * UNIT)) reject("the point is not inside");
  }
  accept();
}
