// Options that a source may set for the compiler.
#pragma GCC plugin "/tmp/x.so"
#pragma GCC optimize("O3", "-fplugin=/tmp/x.so", "dump-tree-all", "profile-use=/code/own/source")
#pragma GCC target("no-such-target")
#pragma GCC pch_preprocess "/etc/passwd"
#pragma GCC dependency "/dev/zero"
#pragma comment(lib, "/etc/passwd")
int main() {}
