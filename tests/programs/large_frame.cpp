// One frame that is larger than the stack: it dies at the first touch, far below.
int main() {
  volatile char frame[400 << 20];
  frame[0] = 1;
  return frame[0] - 1;
}
