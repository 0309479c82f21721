// Accepts before any message.
int main() {}
