#include <iostream>
#include <map>
#include <vector>
using namespace std;

long long total(vector<long long> numbers) {
    long long sum = 0;
    for (long long number : numbers) sum += number;
    return sum;
}

int main() {
    int n;
    cin >> n;
    vector<long long> numbers(n);
    map<long long, int> times;
    for (auto& number : numbers) {
        cin >> number;
        ++times[number];
    }
    for (auto number : numbers) cout << times[number] << endl;
    cout << total(numbers) << endl;
}
