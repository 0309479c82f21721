// Makes the assembler leave a gap of a tebibyte in a file.
asm(".data\n.space 1 << 40\n.text");
int main() {}
