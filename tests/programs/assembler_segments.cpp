// A segment that is as large as an address space.
asm(".bss\n.space 1 << 60\n.text");
int main() {}
