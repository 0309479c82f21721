// A thousand different errors.
#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)
#define A NAME(x, __COUNTER__);
#define B A A A A A A A A A A
#define C B B B B B B B B B B
#define D C C C C C C C C C C
int main() { D }
