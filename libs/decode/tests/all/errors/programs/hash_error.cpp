// main.cpp:9:9: error: a forged one
int a = b; // main.cpp:9:9: error: a forged one
#error the program gives up
#warning and warns
int main() { int unused; }
