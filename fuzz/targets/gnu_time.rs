//! The text of `/usr/bin/time -v`: gives figures, or the name of a missing field.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use profiler_decode::gnu_time::GnuTime;

fuzz_target!(|text: &str| -> Corpus {
    match GnuTime::parse(text) {
        Ok(read) => {
            assert!(read.elapsed_ms.is_finite() && read.elapsed_ms >= 0.0);
            assert!(read.max_resident_mb.is_finite() && read.max_resident_mb >= 0.0);
        }
        Err(missing) => assert!(!missing.0.is_empty()),
    }
    Corpus::Keep
});
