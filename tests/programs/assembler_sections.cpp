// Sections that give orders to linkers and loaders.
asm(".section .init_array, \"aw\"\n.quad 0x4141414141414141\n.text");
asm(".section .gnu.lto_.opts, \"\"\n.string \"'-fplugin=/tmp/x.so' '-o' '/code/bin/plain'\"\n.text");
asm(".section .interp, \"a\"\n.string \"/code/bin/plain\"\n.text");
asm(".section .note.GNU-stack, \"x\"\n.text");
int main() {}
