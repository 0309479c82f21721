// Twice, and each of them twice.
#include __FILE__
#include __FILE__
int main() {}
