#include <algorithm>
#include <vector>
struct P { int x; };
int main() {
    std::vector<P> v(3);
    std::sort(v.begin(), v.end());
}
