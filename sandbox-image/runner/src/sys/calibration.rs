//! A fixed piece of work that compares processors. It is the same machine code on every host, and
//! needs no toolchain and no libraries.

use std::hint::black_box;

/// The argument that selects this mode.
pub(crate) const ARGUMENT: &str = "calibrate";
/// Number of steps of the chain. Each step waits for the one before, so the number of instructions
/// that a processor can execute at a time does not matter.
const STEPS: u32 = 250_000;
/// Number of words of the table that is walked: 1 MiB, larger than a first-level cache.
const WORDS: usize = 1 << 17;

pub(crate) fn work() {
    let mut table: Vec<u64> = (0..WORDS as u64).collect();
    let mut state = 1_u64;
    for _ in 0..STEPS {
        // Knuth's MMIX generator; the high bits choose the word.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (state >> 47) as usize;
        table[at] ^= state;
        state ^= table[(at + 1) % WORDS];
    }
    black_box(table);
}
