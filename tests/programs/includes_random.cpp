// A header that never ends.
#include </dev/urandom>
int main() {}
