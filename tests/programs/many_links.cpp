// Makes as many names for one file as possible, and names and attributes as long as possible.
#include <fcntl.h>
#include <string>
#include <sys/xattr.h>
#include <unistd.h>

int main() {
  close(open("one", O_CREAT | O_WRONLY, 0600));
  std::string value(60'000, 'x');
  for (int i = 0; i < 1000; ++i)
    setxattr("one", ("user." + std::to_string(i)).c_str(), value.data(), value.size(), 0);
  for (long i = 0;; ++i) {
    std::string name = std::to_string(i);
    if (link("one", (name + std::string(255 - name.size(), 'n')).c_str()) != 0) return 3;
  }
}
