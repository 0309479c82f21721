//! Lines on stderr.

use profiler_export::readable;
use std::fmt::Arguments;
use std::io::{Write, stderr};

/// Writes a line for people to stderr. It may have foreign text, such as a file name or a server's
/// message, so it shows control characters as symbols.
pub(crate) fn tell(line: Arguments<'_>) {
    write_line(&readable(&line.to_string()));
}

/// Writes a line to stderr as it is. A reader that closes the pipe early, as `2>&1 | head` does, is
/// not a failure, but `eprintln!` panics about it.
pub(crate) fn write_line(line: &str) {
    // If a line cannot be written, there is nowhere to report that.
    let _ = writeln!(stderr().lock(), "{line}");
}
