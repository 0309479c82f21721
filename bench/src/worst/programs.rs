//! The programs, and the sizes at which their worst inputs are compared.

/// A program of `bench/worst`, with its spec.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) n: u64,
}

/// All programs. A larger size would let the work hide the reading even more, but takes longer.
pub(super) const PROGRAMS: [Program; 24] = [
    program("quicksort_first", 1000),
    program("quicksort_middle", 1000),
    program("insertion_sort", 1000),
    program("tree_insert", 1000),
    program("hash_power", 1000),
    program("find_string", 1000),
    program("borders", 1000),
    program("wildcards", 256),
    program("depths", 1000),
    program("spfa", 500),
    program("union_find", 1000),
    program("euclid", 1000),
    program("collatz", 1000),
    program("two_sum", 1000),
    program("gift_wrapping", 1000),
    program("stabbing", 1000),
    program("trial_division", 1000),
    program("piles", 1000),
    program("subset_sum", 1000),
    program("next_greater", 1000),
    program("cycles", 1000),
    program("flood", 128),
    program("palindromes", 1000),
    program("paths", 24),
];

const fn program(name: &'static str, n: u64) -> Program {
    Program { name, n }
}
