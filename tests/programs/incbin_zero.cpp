// The assembler is to put what never ends into the program.
asm(".incbin \"/dev/zero\"");
int main() {}
