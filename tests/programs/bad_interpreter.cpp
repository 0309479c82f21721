// Linked with -static, this names a program interpreter that does not exist: exec fails.
extern const char interpreter[] __attribute__((section(".interp"), used)) = "/nonexistent/ld.so";

int main() {}
