// Never comes to an end.
int main() {
  for (volatile bool on = true; on;) {}
}
