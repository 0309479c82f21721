// Does nothing.
int main() {}
