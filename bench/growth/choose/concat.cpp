// time: n²
// memory: n
// input: size
// sizes: 1000,5000,10000,20000,50000,100000
// n_max: 100000
// note: Each step copies the string. n² is seen from 10000 on; below it the calls cost more than the bytes.
#include <iostream>
#include <string>
using namespace std;
int main() {
    int n;
    cin >> n;
    string s = "";
    for (int i = 0; i < n; i++) {
        s = s + char('a' + i % 26);
    }
    cout << s.size() << " " << s.back() << endl;
}
