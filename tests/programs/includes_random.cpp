// Includes an endless header.
#include </dev/urandom>
int main() {}
