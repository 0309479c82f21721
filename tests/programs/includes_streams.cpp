// Includes the compiler's own streams, so that its messages cause more messages.
#include "/dev/stdin"
#include "/dev/stderr"
#include "/proc/self/fd/2"
what is this
#include "/dev/stderr"
int main() {}
