// Does what stdin says. `counters` prints counters of the host, and then moves them. `files` prints
// the file system of the root and of every mapped file. `names KEY` looks up absent names. `times
// KEY` prints the median times of looking these names up and of looking up new ones.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

// How far every counter is moved.
static const int MOVES = 100;
// How many names are looked up.
static const int NAMES = 400;

static void inode(const char *key, int fd) {
  struct stat at;
  if (fd >= 0 && fstat(fd, &at) == 0) std::cout << key << ' ' << at.st_ino << '\n';
}

static void counters() {
  int ends[2];
  if (pipe(ends) == 0) inode("pipe", ends[0]);
  inode("process", syscall(SYS_pidfd_open, getpid(), 0));
  std::ifstream group("/proc/self/autogroup");
  std::string name;
  const std::string begin = "/autogroup-";
  if (group >> name && name.rfind(begin, 0) == 0)
    std::cout << "autogroup " << name.substr(begin.size()) << '\n';
  std::cout.flush();
  for (int move = 0; move < MOVES; ++move) {
    if (pipe(ends) == 0) close(ends[0]), close(ends[1]);
    if (fork() == 0) _exit(setsid() < 0);
    wait(nullptr);
  }
}

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
  if (what == "counters") counters();
  if (what == "files") files();
  if (what == "times") times(key);
  for (int number = 0; what == "names" && number < NAMES; ++number) look_up(key, number);
}
