// Does what stdin says. `files` prints the file system of the root and of every mapped file, and
// `user` the program's user. `names KEY` looks up absent names. `times KEY` prints the median times
// of looking these names up and of looking up new ones.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

// How many names are looked up.
static const int NAMES = 400;

static void files() {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  std::vector<std::string> paths = {"/", "/usr"};
  while (std::getline(maps, line)) {
    const size_t at = line.find('/');
    if (at != std::string::npos && line.substr(at) != paths.back()) paths.push_back(line.substr(at));
  }
  for (const std::string &path : paths) {
    struct stat at;
    if (stat(path.c_str(), &at) == 0) std::cout << path << ' ' << at.st_dev << '\n';
  }
}

// Looks up an absent name, and returns how many nanoseconds that took.
static long look_up(const std::string &key, int number) {
  const std::string path = "/usr/lib/neighbours-" + key + "-" + std::to_string(number);
  const auto begin = std::chrono::steady_clock::now();
  access(path.c_str(), F_OK);
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
}

static long median(std::vector<long> &times) {
  std::nth_element(times.begin(), times.begin() + NAMES / 2, times.end());
  return times[NAMES / 2];
}

static void times(const std::string &key) {
  std::vector<long> known, fresh;
  for (int number = 0; number < NAMES; ++number) {
    known.push_back(look_up(key, number));
    fresh.push_back(look_up(key + "-new", number));
  }
  std::cout << "known " << median(known) << "\nnew " << median(fresh) << '\n';
}

int main() {
  std::string what, key;
  std::cin >> what >> key;
  if (what == "files") files();
  if (what == "user") std::cout << "user " << getuid() << '\n';
  if (what == "times") times(key);
  for (int number = 0; what == "names" && number < NAMES; ++number) look_up(key, number);
}
