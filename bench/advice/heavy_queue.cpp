// expects: line 27
// fix 27: const Order& best = orders.top();
#include <iostream>
#include <queue>
#include <string>
#include <vector>
using namespace std;

struct Order {
    long long price;
    string customer;
    vector<int> items;
    bool operator<(const Order& other) const { return price < other.price; }
};

int main() {
    int n;
    cin >> n;
    priority_queue<Order> orders;
    unsigned state = 44;
    long long income = 0;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        orders.push(Order{state >> 8, "a customer of the shop", vector<int>(24, i)});
        if (i % 4 != 3) continue;
        while (orders.size() > 8) {
            Order best = orders.top();
            income += best.price % 1000 + best.items[i % 24] % 7;
            orders.pop();
        }
    }
    cout << income << "\n";
    return 0;
}
