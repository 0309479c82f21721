// time: n^1.58
// memory: n
// input: ../inputs/digits.yaml
// sizes: 1000,2000,5000,10000,20000,50000
// n_max: 50000
#include <bits/stdc++.h>
using namespace std;
typedef vector<long long> Poly;

Poly multiply(const Poly& a, const Poly& b) {
    int n = a.size();
    Poly result(2 * n, 0);
    if (n <= 32) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) result[i + j] += a[i] * b[j];
        return result;
    }
    int k = n / 2, rest = n - k;
    Poly a0(a.begin(), a.begin() + k), a1(a.begin() + k, a.end());
    Poly b0(b.begin(), b.begin() + k), b1(b.begin() + k, b.end());
    a0.resize(rest), b0.resize(rest);
    Poly low = multiply(a0, b0), high = multiply(a1, b1);
    for (int i = 0; i < rest; i++) a0[i] += a1[i], b0[i] += b1[i];
    Poly middle = multiply(a0, b0);
    for (int i = 0; i < 2 * rest; i++) middle[i] -= low[i] + high[i];
    for (int i = 0; i < 2 * rest; i++) {
        if (i < 2 * n) result[i] += low[i];
        if (i + k < 2 * n) result[i + k] += middle[i];
        if (i + 2 * k < 2 * n) result[i + 2 * k] += high[i];
    }
    return result;
}

int main() {
    string s, t;
    cin >> s >> t;
    reverse(s.begin(), s.end());
    reverse(t.begin(), t.end());
    Poly a, b;
    for (char c : s) a.push_back(c - '0');
    for (char c : t) b.push_back(c - '0');
    if (a.empty()) a = b = {0};
    Poly c = multiply(a, b);
    for (size_t i = 0; i + 1 < c.size(); i++) {
        c[i + 1] += c[i] / 10;
        c[i] %= 10;
    }
    while (c.size() > 1 && c.back() == 0) c.pop_back();
    string out;
    for (auto it = c.rbegin(); it != c.rend(); ++it) out += char('0' + *it);
    cout << out << endl;
}
