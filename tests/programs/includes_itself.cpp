// Includes itself twice, and so does each copy.
#include __FILE__
#include __FILE__
int main() {}
