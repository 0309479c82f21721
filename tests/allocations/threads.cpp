// Four threads allocate and free at once and pass each other blocks; a fork's child records
// nothing.
#include <array>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

int main() {
    std::array<std::vector<int*>, 4> handed;
    std::vector<std::thread> threads;
    for (auto& mine : handed)
        threads.emplace_back([&mine] {
            for (int i = 0; i < 25000; ++i) {
                int* block = new int[4];
                block[0] = i;
                if (i % 100) delete[] block;
                else mine.push_back(block);
            }
        });
    for (auto& thread : threads) thread.join();
    if (fork() == 0) {
        for (int i = 0; i < 1000; ++i) new int[1000];
        _exit(0);
    }
    wait(nullptr);
    for (auto& mine : handed)
        for (int* block : mine) delete[] block;
}
