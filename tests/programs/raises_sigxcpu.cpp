// Pretends to have met the processor time limit.
#include <csignal>

int main() { return raise(SIGXCPU); }
