// Accepts before anything was said.
int main() {}
