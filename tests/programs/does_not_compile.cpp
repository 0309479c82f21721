// Not a program.
int main() { return undeclared; }
