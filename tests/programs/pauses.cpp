// Waits for a signal that does not come.
#include <unistd.h>

int main() { pause(); }
