int main() { return nothing; }
