//! The binary of a hostile compile, as the runner and the instruction counter read it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use profiler_decode::elf::{Linkage, Program, function_addresses, library_names, segment_bytes};
use std::collections::BTreeSet;

/// The largest address of a program.
const REACH: u64 = 1 << 31;
/// Pointers for which relocations are looked up.
const POINTERS: std::ops::Range<u32> = 0..64;

fuzz_target!(|file: &[u8]| {
    let _ = segment_bytes(file);
    if let Ok(program) = Program::read(file, REACH) {
        assert!(program.entry <= REACH);
        for segment in &program.segments {
            let end = segment.address.checked_add(segment.bytes);
            assert!(end.is_some() && segment.offset.checked_add(segment.file_bytes).is_some());
            assert!(segment.file_bytes <= segment.bytes);
        }
    }
    if let Ok(linkage) = Linkage::read(file) {
        assert!(linkage.loader.is_some() || linkage.libraries.is_empty());
    }
    let functions = function_addresses(file, 0);
    assert!(functions.is_sorted());
    let pointers: BTreeSet<u32> = POINTERS.collect();
    let names = library_names(file, &pointers);
    assert!(names.iter().all(|(pointer, name)| pointers.contains(pointer) && !name.is_empty()));
});
