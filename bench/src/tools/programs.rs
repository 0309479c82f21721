//! Programs that generate their own input from the size on stdin, always the same.

/// A program, and the sizes at which its noise is measured: all above 5 ms.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    pub(crate) sizes: [u64; 3],
}

/// Typical work of contest programs: compare and move, chase pointers through memory, and compute.
pub(crate) const PROGRAMS: [Program; 3] = [
    Program { name: "sort", source: SORT, sizes: [100_000, 250_000, 600_000] },
    Program { name: "map", source: MAP, sizes: [30_000, 60_000, 120_000] },
    Program { name: "square", source: SQUARE, sizes: [3_000, 5_000, 8_000] },
];

/// n log n over an array.
pub(crate) const SORT: &str = r#"
#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    unsigned n;
    if (std::scanf("%u", &n) != 1) return 1;
    std::vector<unsigned> values(n);
    unsigned long long state = 1;
    for (auto& value : values) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        value = state >> 33;
    }
    std::sort(values.begin(), values.end());
    std::printf("%u\n", n ? values[n / 2] : 0);
}
"#;

/// An allocation and a walk over pointers for each element.
pub(crate) const MAP: &str = r#"
#include <cstdio>
#include <map>
int main() {
    unsigned n;
    if (std::scanf("%u", &n) != 1) return 1;
    std::map<unsigned, unsigned> counts;
    unsigned long long state = 1;
    for (unsigned i = 0; i < n; ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        ++counts[state >> 33];
    }
    std::printf("%zu\n", counts.size());
}
"#;

/// n² steps without memory access, each dependent on the step before it.
pub(crate) const SQUARE: &str = r#"
#include <cstdio>
int main() {
    unsigned n;
    if (std::scanf("%u", &n) != 1) return 1;
    unsigned mixed = 1;
    for (unsigned i = 0; i < n; ++i)
        for (unsigned j = 0; j < n; ++j) mixed = (mixed >> 1) ^ (i * j);
    std::printf("%u\n", mixed);
}
"#;
