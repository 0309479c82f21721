//! The binary that a hostile compile left, as the runner and the instruction counter read it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs::File;
use std::io::{Seek, Write};

// Neither is a library: their parsers are modules that need nothing else.
#[path = "../../sandbox-image/counter/src/elf.rs"]
#[expect(dead_code, reason = "what loading needs is not needed here")]
mod counter;
#[path = "../../sandbox-image/counter/src/layout.rs"]
#[expect(dead_code, reason = "what translating needs is not needed here")]
mod layout;
#[path = "../../sandbox-image/runner/src/elf.rs"]
mod runner;

fuzz_target!(|bytes: &[u8]| {
    let _ = runner::segment_bytes(&file(bytes));
    if let Ok(elf) = counter::read(&file(bytes)) {
        assert!(elf.entry <= layout::REACH);
        for segment in &elf.segments {
            let end = segment.address.checked_add(segment.bytes);
            assert!(end.is_some() && segment.offset.checked_add(segment.file_bytes).is_some());
            assert!(segment.file_bytes <= segment.bytes);
        }
    }
});

/// A file that holds `bytes` and nothing else.
fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile_in("/dev/shm").expect("a file");
    file.write_all(bytes).and_then(|()| file.rewind()).expect("it is written");
    file
}
