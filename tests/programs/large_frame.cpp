// One frame larger than the stack: it dies at the first access, far below the stack.
int main() {
  volatile char frame[400 << 20];
  frame[0] = 1;
  return frame[0] - 1;
}
