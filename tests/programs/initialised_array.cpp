// An array of 1 GiB that must be in the binary.
int array[1 << 28] = {1};
int main() { return array[5]; }
