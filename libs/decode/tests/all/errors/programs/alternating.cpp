int f();
int g();
int main() { return f() + g() + f() + g(); }
