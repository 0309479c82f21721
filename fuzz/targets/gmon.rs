//! The `gmon.out` of a program, as the runner reads it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use profiler_decode::gmon;

/// Maximum number of addresses that are looked up.
const MOST: usize = 16;

fuzz_target!(|file: &[u8]| {
    if let Some(samples) = gmon::histogram(file, MOST) {
        assert!(samples.len() <= MOST);
        assert!(samples.is_sorted() && samples.iter().all(|&(_, count)| count > 0));
    }
});
