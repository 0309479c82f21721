// A checker that never ends.
int main() {
  for (volatile bool on = true; on;) {}
}
