// Makes the assembler repeat a byte for ever.
asm(".rept 2000000000\n.byte 1\n.endr");
int main() {}
