// The assembler reads a file into the program.
asm(".incbin \"/etc/shadow\"");
int main() {}
