// Includes a file of the sandbox, whose content must not appear in diagnostics.
#include "/etc/shadow"
int main() {}
