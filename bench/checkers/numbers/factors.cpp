// The prime factors of a number, in any order.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  Number left = task.number(2, MOST);
  for (const Number factor : output.rest(2, MOST)) {
    for (Number d = 2; d * d <= factor; ++d)
      if (factor % d == 0) reject("a factor is not prime");
    if (left % factor != 0) reject("a factor does not divide the number");
    left /= factor;
  }
  if (left != 1) reject("a factor is missing");
  accept();
}
