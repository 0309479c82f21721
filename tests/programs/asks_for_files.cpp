// Asks the preprocessor about devices and files that never end.
#if __has_include("/dev/random") || __has_include("/dev/zero") || __has_include("/dev/tty")
int devices = 1;
#endif
#if __has_include("/dev/stdin")
int others = 1;
#endif
int main() {}
