// The content of a file of the sandbox must not come back as diagnostics.
#include "/etc/shadow"
int main() {}
