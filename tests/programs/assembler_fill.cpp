// An object file that just fits, and a binary beside it for which there is no room.
asm(".data\n.fill 60000000, 1, 1\n.text");
int main() {}
