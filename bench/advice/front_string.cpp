// expects: line 15 | line 18 | line 19
// fix 15: product += char('0' + value % 10);
// fix 18: if (carry > 0) product += char('0' + carry);
// fix 19: return string(product.rbegin(), product.rend());
#include <iostream>
#include <string>
using namespace std;

// 3 to the power of n / 20, in decimal.
string times_three(const string& number) {
    string product = "";
    int carry = 0;
    for (int i = (int)number.size() - 1; i >= 0; i--) {
        int value = (number[i] - '0') * 3 + carry;
        product = char('0' + value % 10) + product;
        carry = value / 10;
    }
    if (carry > 0) product = char('0' + carry) + product;
    return product;
}

int main() {
    int n;
    cin >> n;
    string number = "1";
    for (int i = 0; i < n / 20; i++) {
        number = times_three(number);
    }
    cout << number.size() << " " << number.substr(0, 10) << "\n";
    return 0;
}
