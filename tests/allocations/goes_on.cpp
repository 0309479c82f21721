// A thread is still running at the end.
#include <atomic>
#include <thread>
#include <unistd.h>

std::atomic<int*> kept;

int main() {
    std::thread([] {
        kept = new int[25]();
        for (;;) pause();
    }).detach();
    while (!kept) std::this_thread::yield();
}
