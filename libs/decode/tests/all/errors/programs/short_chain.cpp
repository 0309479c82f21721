struct P {};
template <class T> int half(T x) { return x / 2; }
int main() { return half(P{}); }
