int solve(int n);
int other(int n);
struct Shape { virtual int area(); };
int main() { return solve(1) + other(2) + Shape().area(); }
