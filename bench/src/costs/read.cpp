// The ways to read numbers.
#include <bits/stdc++.h>
using namespace std;

int main(int, char** argv) {
    string way = argv[1];
    int n = atoi(argv[2]), value = 0;
    unsigned sum = 0;
    if (way == "scanf") {
        for (int i = 0; i < n && scanf("%d", &value) == 1; i++) sum += value;
    } else if (way == "cin") {
        ios::sync_with_stdio(false);
        cin.tie(nullptr);
        for (int i = 0; i < n && cin >> value; i++) sum += value;
    } else {
        for (int i = 0; i < n; i++) {
            int c = getchar_unlocked();
            while (c == ' ') c = getchar_unlocked();
            for (value = 0; c >= '0' && c <= '9'; c = getchar_unlocked()) value = value * 10 + c - '0';
            sum += value;
        }
    }
    printf("%u\n", sum);
}
