// Division of a list into the parts 1 and 2, which have the same sum.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST);
  Number sums[] = {0, 0};
  for (Number i = 0; i < n; ++i) sums[output.number(1, 2) - 1] += task.number(1, MOST);
  output.end();
  if (sums[0] != sums[1]) reject("the sums differ");
  accept();
}
