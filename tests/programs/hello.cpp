// An ordinary program, which every other case must leave unharmed.
#include <iostream>

int main() {
  long n;
  std::cin >> n;
  std::cout << "hello, " << n << "\n";
}
