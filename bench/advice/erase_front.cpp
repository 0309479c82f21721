// expects: deque | queue
// fix 6: #include <deque>
// fix 13: deque<int> line;
// fix 20: line.pop_front();
#include <iostream>
#include <vector>
using namespace std;

// Each served customer with work left joins the line again.
int main() {
    int n;
    cin >> n;
    vector<int> line;
    for (int i = 0; i < 4000; i++) {
        line.push_back(1 + i % 17);
    }
    long long waited = 0;
    for (int time = 0; time < n; time++) {
        int work = line.front();
        line.erase(line.begin());
        waited += line.size() * (work % 3);
        if (work > 3) {
            line.push_back(work - 3);
        } else {
            line.push_back(work + 11);
        }
    }
    cout << waited << "\n";
    return 0;
}
