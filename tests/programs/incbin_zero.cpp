// Makes the assembler include an endless file in the program.
asm(".incbin \"/dev/zero\"");
int main() {}
