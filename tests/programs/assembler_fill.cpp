// An object file that just fits, while the binary next to it does not.
asm(".data\n.fill 60000000, 1, 1\n.text");
int main() {}
