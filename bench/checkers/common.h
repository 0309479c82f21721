// The beginning of every checker here: its files, and the exit codes of testlib. The program under
// test copies its input, so the output is the input. The file of the answer has the task.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

using Number = long long;
using Numbers = std::vector<Number>;

[[noreturn]] void accept() { std::exit(0); }

[[noreturn]] void reject(const std::string &why) {
  std::cerr << "wrong answer " << why << "\n";
  std::exit(1);
}

[[noreturn]] void reject_form(const std::string &why) {
  std::cerr << "wrong output format " << why << "\n";
  std::exit(2);
}

// The words of a file, one after the other.
class File {
 public:
  explicit File(const char *path) : stream(path) {}

  bool has_ended() { return !(stream >> std::ws) || stream.peek() == EOF; }

  void end() {
    if (!has_ended()) reject_form("there are more words");
  }

  std::string word() {
    std::string found;
    if (!(stream >> found)) reject_form("there are fewer words");
    return found;
  }

  Number number(Number low, Number high) {
    const std::string found = word();
    char *end = nullptr;
    errno = 0;
    const Number value = std::strtoll(found.c_str(), &end, 10);
    if (*end != '\0' || errno != 0) reject_form(found + " is no number");
    if (value < low || value > high) reject(found + " is out of range");
    return value;
  }

  Numbers numbers(Number count, Number low, Number high) {
    Numbers found;
    while (count-- > 0) found.push_back(number(low, high));
    return found;
  }

  Numbers rest(Number low, Number high) {
    Numbers found;
    while (!has_ended()) found.push_back(number(low, high));
    return found;
  }

  long double real() {
    const std::string found = word();
    const bool is_decimal = found.find_first_not_of("0123456789.-") == std::string::npos;
    char *end = nullptr;
    const long double value = std::strtold(found.c_str(), &end);
    if (!is_decimal || end == found.c_str() || *end != '\0') reject_form(found + " is no number");
    return value;
  }

 private:
  std::ifstream stream;
};

constexpr Number MOST = 1'000'000'000;
