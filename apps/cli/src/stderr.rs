//! Lines on stderr.

use std::fmt::Arguments;
use std::io::{Write, stderr};

/// Writes a line to stderr. A reader that closes the pipe early, as `2>&1 | head` does, is not a
/// failure, but `eprintln!` panics about it.
pub(crate) fn tell(line: Arguments<'_>) {
    // A line that cannot be written has nowhere to be reported.
    let _ = writeln!(stderr().lock(), "{line}");
}
