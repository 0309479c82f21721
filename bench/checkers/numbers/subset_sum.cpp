// Places of a list whose numbers have the given sum.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST), sum = task.number(1, MOST);
  const Numbers list = task.numbers(n, 1, MOST);
  std::vector<bool> is_used(n);
  Number found = 0;
  for (const Number place : output.rest(1, n)) {
    if (is_used[place - 1]) reject("a place is used twice");
    is_used[place - 1] = true;
    found += list[place - 1];
  }
  if (found != sum) reject("the sum is another");
  accept();
}
