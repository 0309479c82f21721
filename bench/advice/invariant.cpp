// expects: line 19 | line 21
// fix 19: double brightness = 0; int peak = *std::max_element(histogram.begin(), histogram.end());
// fix 21:
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<int> histogram(128);
    std::vector<int> pixels(n);
    unsigned state = 3;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        pixels[i] = (state >> 25) * (state >> 9 & 127) / 128;
        ++histogram[pixels[i]];
    }
    double brightness = 0;
    for (int i = 0; i < n; ++i) {
        int peak = *std::max_element(histogram.begin(), histogram.end());
        brightness += (double)histogram[pixels[i]] / peak;
    }
    std::printf("%.3f\n", brightness);
}
