#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <vector>
struct P { int x; };
int main() {
    std::vector<P> v(3); std::set<P> s; std::map<P, int> m; P a;
    std::cout << v; std::sort(v); v.push_back("p"); std::max(a, 1); m.insert(3); s.insert("q"); v.erase("e"); m["k"] = 1; std::find(v, a);
}
