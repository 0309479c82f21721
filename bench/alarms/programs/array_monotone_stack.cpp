// Finds the next greater number of each by a stack.
// input: array.yaml
#include <iostream>
#include <stack>
int main() {
    int n, x;
    std::cin >> n;
    std::stack<std::pair<int, int>> open;
    long long sum = 0;
    for (int i = 0; i < n && std::cin >> x; ++i) {
        for (; !open.empty() && open.top().first < x; open.pop()) sum += i - open.top().second;
        open.push({x, i});
    }
    std::cout << sum << '\n';
}
