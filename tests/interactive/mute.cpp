// Neither reads nor writes.
#include <unistd.h>

int main() { pause(); }
