#include <coroutine>
int main() {}
