// A balanced sequence of n pairs of brackets, of the given depth.
int main(int, char **argv) {
  File output(argv[2]), task(argv[3]);
  const Number n = task.number(1, MOST), depth = task.number(1, n);
  const std::string text = output.word();
  output.end();
  Number open = 0, most = 0;
  for (const char c : text) {
    if (c != '(' && c != ')') reject_form("there is another character");
    open += c == '(' ? 1 : -1;
    if (open < 0) reject("a bracket is closed before it is opened");
    most = std::max(most, open);
  }
  if (open != 0) reject("a bracket is not closed");
  if (static_cast<Number>(text.size()) != 2 * n) reject("the length is another");
  if (most != depth) reject("the depth is another");
  accept();
}
