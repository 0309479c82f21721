// time: n
// memory: n
// input: ../inputs/array.yaml
// sizes: auto
// n_max: 2000000
// note: The largest rectangle, with a stack.
#include <cstdio>
#include <vector>
#include <algorithm>
using namespace std;

static inline int readInt() {
    int c = getchar_unlocked();
    while (c != EOF && (c < '0' || c > '9')) c = getchar_unlocked();
    int x = 0;
    while (c >= '0' && c <= '9') {
        x = x * 10 + (c - '0');
        c = getchar_unlocked();
    }
    return x;
}

int main() {
    int n = readInt();
    vector<int> h(n + 1, 0);
    for (int i = 0; i < n; i++) h[i] = readInt();
    vector<int> st;
    long long best = 0;
    for (int i = 0; i <= n; i++) {
        while (!st.empty() && h[st.back()] >= h[i]) {
            long long height = h[st.back()];
            st.pop_back();
            int left = st.empty() ? -1 : st.back();
            best = max(best, height * (i - left - 1));
        }
        st.push_back(i);
    }
    printf("%lld\n", best);
}
