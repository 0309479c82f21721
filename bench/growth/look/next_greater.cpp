// time: n
// memory: n
// input: ../inputs/array.yaml
// sizes: auto
// n_max: 1000000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n), answer(n, -1);
    for (int i = 0; i < n; i++) scanf("%d", &a[i]);
    stack<int> st;
    for (int i = 0; i < n; i++) {
        while (!st.empty() && a[st.top()] < a[i]) {
            answer[st.top()] = i;
            st.pop();
        }
        st.push(i);
    }
    long long sum = 0;
    for (int x : answer) sum += x;
    printf("%lld\n", sum);
}
