// The corners of the convex hull of some points, counterclockwise from any of them.
using Point = std::pair<Number, Number>;

Number turn(Point a, Point b, Point c) {
  return (b.first - a.first) * (c.second - a.second) - (b.second - a.second) * (c.first - a.first);
}

int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(3, MOST);
  std::vector<Point> points, hull, answer;
  for (Number i = 0; i < n; ++i) {
    const Number x = task.number(-MOST, MOST);
    points.emplace_back(x, task.number(-MOST, MOST));
  }
  std::sort(points.begin(), points.end());
  for (int side = 0; side < 2; ++side) {
    const std::size_t first = hull.size();
    for (const Point &point : points) {
      while (hull.size() >= first + 2 && turn(hull[hull.size() - 2], hull.back(), point) <= 0)
        hull.pop_back();
      hull.push_back(point);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  while (!output.has_ended()) {
    const Number x = output.number(-MOST, MOST);
    answer.emplace_back(x, output.number(-MOST, MOST));
  }
  const auto first = std::find(answer.begin(), answer.end(), hull.front());
  std::rotate(answer.begin(), first, answer.end());
  if (answer != hull) reject("the hull is another");
  accept();
}
