// Colors 1 and 2 of the nodes, which differ at the ends of each edge.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST), m = task.number(0, MOST);
  const Numbers colors = output.numbers(n, 1, 2);
  output.end();
  for (Number i = 0; i < m; ++i) {
    const Number a = task.number(1, n), b = task.number(1, n);
    if (colors[a - 1] == colors[b - 1]) reject("both ends have the same color");
  }
  accept();
}
