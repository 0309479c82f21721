// Compiles, and does not link.
int not_main() { return 0; }
