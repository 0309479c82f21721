// Calls what is defined nowhere.
int nowhere(int);
int main() { return nowhere(1); }
