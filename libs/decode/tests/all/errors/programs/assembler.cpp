int x;
int main() { asm("movl $x, %%eax" ::: "eax"); }
