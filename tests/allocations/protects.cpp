// The block cannot be read at the end.
#include <cstdlib>
#include <sys/mman.h>

void* kept;

int main() {
    if (posix_memalign(&kept, 4096, 8192)) return 1;
    return mprotect(kept, 8192, PROT_NONE);
}
