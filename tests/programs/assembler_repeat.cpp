// The assembler is to write the same again and again.
asm(".rept 2000000000\n.byte 1\n.endr");
int main() {}
