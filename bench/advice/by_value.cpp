// expects: line 6
// fix 6: int count_below(const std::vector<int>& limits, int value) {
#include <iostream>
#include <vector>

int count_below(std::vector<int> limits, int value) {
    int low = 0, high = limits.size();
    while (low < high) {
        int middle = (low + high) / 2;
        if (limits[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

int main() {
    int n;
    std::cin >> n;
    std::vector<int> limits;
    for (int i = 0; i < 200; ++i) limits.push_back(i * i);
    std::vector<int> grades(limits.size() + 1);
    unsigned state = 99;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        ++grades[count_below(limits, state % 40000)];
    }
    int most = 0;
    for (int grade : grades) most = grade > most ? grade : most;
    std::cout << most << '\n';
}
