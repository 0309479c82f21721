// Makes the assembler include a file in the program.
asm(".incbin \"/etc/shadow\"");
int main() {}
