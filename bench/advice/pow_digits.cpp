// expects: line 12
// fix 12: sum += digit * digit * digit;
#include <cmath>
#include <iostream>
using namespace std;

// Counts the numbers that divide the sum of the cubes of their digits.
bool good(int number) {
    int sum = 0;
    for (int rest = number; rest > 0; rest /= 10) {
        int digit = rest % 10;
        sum += pow(digit, 3);
    }
    return sum % number == 0;
}

int main() {
    int n;
    cin >> n;
    int count = 0;
    for (int i = 1; i <= n; i++) {
        if (good(i)) count++;
    }
    cout << count << endl;
    return 0;
}
