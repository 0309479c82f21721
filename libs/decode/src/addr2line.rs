//! The output of `addr2line -a -i -f -C`: after each address, pairs of a function and its place,
//! from the innermost inlined call outwards.
//!
//! ```text
//! 0x0000000000401100
//! std::vector<int>::operator[](unsigned long)
//! /usr/include/c++/12/bits/stl_vector.h:1123
//! work(int)
//! /tmp/main.cpp:7 (discriminator 3)
//! ```
//!
//! A program chooses the names of its functions, so a name may look like an address or a place.

use crate::SOURCE_FILE;
use std::io::{BufRead, Read};
use std::path::Path;

/// Text that binutils prints where it does not know.
pub const UNKNOWN: &str = "??";
/// The longest line that is read as one, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Address that the answers after it are about; absent where the line is not a number.
    Address(Option<u64>),
    /// A function at that address, and where its code was written.
    Frame {
        /// Its name.
        function: String,
        /// `FILE:LINE`, see [`Place::parse`].
        place: String,
    },
}

/// A place in a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The path, as the debug information has it; empty where it is not known.
    pub path: &'a str,
    /// Line number, from 1; 0 where it is not known.
    pub line: u32,
}

/// The answers in `text`, in their order. A frame that is cut is left out.
pub fn answers(mut text: impl BufRead) -> impl Iterator<Item = Answer> {
    std::iter::from_fn(move || {
        let function = line(&mut text)?;
        if let Some(address) = function.strip_prefix("0x") {
            return Some(Answer::Address(u64::from_str_radix(address, 16).ok()));
        }
        let place = line(&mut text)?;
        Some(Answer::Frame { function, place })
    })
}

impl<'a> Place<'a> {
    /// Reads `/tmp/main.cpp:12 (discriminator 3)`, or `??:?` where the place is not known.
    pub fn parse(place: &'a str) -> Self {
        let (path, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let line = line.split(' ').next().and_then(|line| line.parse().ok()).unwrap_or(0);
        Self { path: if path == UNKNOWN { "" } else { path }, line }
    }

    /// Whether it is in the submitted source.
    pub fn is_in_source(&self) -> bool {
        Path::new(self.path).file_name().is_some_and(|name| name == SOURCE_FILE)
    }
}

/// The next line, without its end. Bytes that are not UTF-8 are replaced.
pub(crate) fn line(from: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = from.take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
    let line = line.strip_suffix(b"\n").unwrap_or(&line);
    read.ok().filter(|&bytes| bytes > 0).map(|_| String::from_utf8_lossy(line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_addresses_and_frames() {
        let text = "0x0000000000401100\nwork(int)\n/tmp/main.cpp:7\n0xzz\nmain\n";
        let frame = Answer::Frame { function: "work(int)".into(), place: "/tmp/main.cpp:7".into() };
        let expected = [Answer::Address(Some(0x40_1100)), frame, Answer::Address(None)];
        assert!(answers(text.as_bytes()).eq(expected), "a frame without a place is left out");
    }

    #[test]
    fn place_has_a_path_and_a_line() {
        for (text, path, line, is_in_source) in [
            ("/tmp/main.cpp:12 (discriminator 3)", "/tmp/main.cpp", 12, true),
            ("/usr/include/c++/12/a.h:7", "/usr/include/c++/12/a.h", 7, false),
            ("/tmp/main.cpp:?", "/tmp/main.cpp", 0, true),
            ("??:0", "", 0, false),
            ("main.cpp", "main.cpp", 0, true),
            ("", "", 0, false),
        ] {
            let place = Place::parse(text);
            assert_eq!((place.path, place.line), (path, line), "{text:?}");
            assert_eq!(place.is_in_source(), is_in_source, "{text:?}");
        }
    }

    #[test]
    fn line_without_end_is_cut() {
        let long = "x".repeat(3 << 16);
        assert!(answers(long.as_bytes()).count() <= 2);
    }
}
