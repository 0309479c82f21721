// An order of the nodes in which each edge leads forward.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST), m = task.number(0, MOST);
  Numbers places(n + 1);
  for (Number i = 1; i <= n; ++i) {
    Number &place = places[output.number(1, n)];
    if (place != 0) reject("a node occurs twice");
    place = i;
  }
  output.end();
  for (Number i = 0; i < m; ++i) {
    const Number from = task.number(1, n), to = task.number(1, n);
    if (places[from] > places[to]) reject("an edge leads back");
  }
  accept();
}
