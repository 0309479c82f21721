// expects: priority_queue
// fix 10: #include <queue>
// fix 20: std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
// fix 22: events.push({id * 37 % 1000, id});
// fix 26: Event event = events.top();
// fix 27: events.pop();
// fix 30: events.push(event);
#include <functional>
#include <iostream>
#include <set>
#include <utility>
#include <vector>

using Event = std::pair<long long, int>;

// Machines that report again after a while, in the order of time.
int main() {
    int n;
    std::cin >> n;
    std::set<Event> events;
    for (int id = 0; id < 1000; ++id) {
        events.insert({id * 37 % 1000, id});
    }
    long long sum = 0;
    for (int step = 0; step < 3 * n; ++step) {
        Event event = *events.begin();
        events.erase(events.begin());
        sum = (sum * 31 + event.second) % 998244353;
        event.first += 1 + event.second * 7919LL % 1009;
        events.insert(event);
    }
    std::cout << sum << '\n';
}
