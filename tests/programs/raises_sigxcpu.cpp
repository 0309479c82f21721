// Pretends to have met the limit of processor time.
#include <csignal>

int main() { return raise(SIGXCPU); }
