//! Lines on stderr.

use std::fmt::Arguments;
use std::io::{Write, stderr};

/// Writes a line to stderr. A reader that closes the pipe early, as `2>&1 | head` does, is not a
/// failure, but `eprintln!` panics about it.
pub(crate) fn tell(line: Arguments<'_>) {
    // If a line cannot be written, there is nowhere to report that.
    let _ = writeln!(stderr().lock(), "{line}");
}
