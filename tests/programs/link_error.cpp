// Calls a function that is not defined.
int nowhere(int);
int main() { return nowhere(1); }
