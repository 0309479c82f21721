// 1 GiB that has to stand in the binary.
int array[1 << 28] = {1};
int main() { return array[5]; }
