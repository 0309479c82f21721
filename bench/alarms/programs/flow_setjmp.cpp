// Leaves a search by longjmp.
// sizes: 10,1000,10000,100000
#include <csetjmp>
#include <cstdio>
static jmp_buf found;
static int goal, answer;
static void search(int low, int high) {
    if (low > high) return;
    int middle = low + (high - low) / 2;
    if (middle == goal) {
        answer = middle;
        longjmp(found, 1);
    }
    search(low, middle - 1);
    search(middle + 1, high);
}
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    goal = n;
    if (!setjmp(found)) search(0, n);
    printf("%d\n", answer);
}
