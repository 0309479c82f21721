// A macro that expands to a hundred thousand million copies of itself.
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(A(A(x)))))
int main() { B(B(1;)) }
