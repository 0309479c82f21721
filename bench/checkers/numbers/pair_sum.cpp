// Two places of a list whose numbers have the given sum.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST), sum = task.number(1, MOST);
  const Numbers list = task.numbers(n, 1, MOST);
  const Number one = output.number(1, n), other = output.number(1, n);
  output.end();
  if (one == other) reject("both places are the same");
  if (list[one - 1] + list[other - 1] != sum) reject("the sum is another");
  accept();
}
