//! Parsers of hostile bytes: what a submitted program writes, and what tools print about it.
//!
//! No function panics, whatever the bytes are. Only [`elf`] does I/O: it reads a binary that the
//! caller has opened. Every count, length and offset in the bytes is checked before use, so a
//! forged file costs bounded time and memory.
//!
//! | module | bytes | read by |
//! |---|---|---|
//! | [`elf`] | a compiled binary | runner, counter |
//! | [`gmon`] | `gmon.out` of an instrumented program | runner |
//! | [`counter_output`] | the instruction counter's report | runner; constants: counter |
//! | [`allocation_record`] | the file that the allocation hook maps | runner |
//! | [`symbols`] | `addr2line` and `c++filt` about executed addresses | runner |
//! | [`unwind`] | the memory of a stopped process | runner |
//! | [`addr2line`] | the format that [`symbols`], [`call_traces`] and [`hot_lines`] share | both |
//! | [`diagnostics`] | the output of g++ and the linker | host |
//! | [`diagnostics::dependencies`] | the files that g++ read, as it lists them for make | host |
//! | [`gnu_time`] | the output of `/usr/bin/time -v` | host |
//! | [`hot_lines`] | gprof's listing, or a histogram with `addr2line`'s answers | host |
//! | [`diagnostics::sanitizer`] | a sanitizer's report on the program's stderr | host |
//! | [`call_traces`] | `addr2line` about the call sites of allocations | host |
//!
//! The feature `runner` holds what only the runner and the host link, `host` holds what only the
//! host links. The counter uses neither.

#![forbid(unsafe_code)]

pub mod counter_output;
pub mod elf;
pub mod gmon;

#[cfg(feature = "runner")]
pub mod addr2line;
#[cfg(feature = "runner")]
pub mod allocation_record;
#[cfg(feature = "runner")]
pub mod symbols;
#[cfg(feature = "runner")]
pub mod unwind;

#[cfg(feature = "host")]
pub mod call_traces;
#[cfg(feature = "host")]
pub mod diagnostics;
#[cfg(feature = "host")]
pub mod gnu_time;
#[cfg(feature = "host")]
pub mod hot_lines;

/// The file name that a submitted source is compiled under.
pub const SOURCE_FILE: &str = "main.cpp";

/// Whether a file that a tool names is the submitted source. The linker and debug information name
/// it by an absolute path. The paths of the program's other files are relative.
pub fn is_submitted_source(file: &str) -> bool {
    let is_named = || file.rsplit('/').next() == Some(SOURCE_FILE);
    file == SOURCE_FILE || (file.starts_with('/') && is_named())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submitted_source_has_an_absolute_path_or_none() {
        for (file, expected) in [
            ("main.cpp", true),
            ("/tmp/main.cpp", true),
            ("lib/main.cpp", false),
            ("/tmp/domain.cpp", false),
            ("", false),
        ] {
            assert_eq!(is_submitted_source(file), expected, "{file:?}");
        }
    }
}
