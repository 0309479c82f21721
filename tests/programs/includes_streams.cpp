// The compiler's own streams: what it has complained of so far is complained of again.
#include "/dev/stdin"
#include "/dev/stderr"
#include "/proc/self/fd/2"
what is this
#include "/dev/stderr"
int main() {}
