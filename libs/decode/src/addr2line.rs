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

/// Text that binutils prints in place of an unknown name or file.
pub const UNKNOWN: &str = "??";
/// The longest line that is read as one, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// A function at an address, and where its code was written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function, with the types of its parameters if the debug information has them.
    pub function: String,
    /// The file: [`SOURCE_FILE`] for the submitted source, any other by its path; empty if it is
    /// unknown.
    pub file: String,
    /// Line number, from 1; 0 if it is unknown.
    pub line: u32,
}

/// The frames in `text` in order, each with the value that `takes` returns for its address. If
/// `takes` returns `None`, the frames of the address are left out. A frame that is cut is left out
/// too.
pub fn frames<A: Copy>(
    mut text: impl BufRead,
    mut takes: impl FnMut(u64) -> Option<A>,
) -> impl Iterator<Item = (A, Frame)> {
    let mut current = None;
    std::iter::from_fn(move || {
        loop {
            let function = line(&mut text)?;
            if let Some(address) = function.strip_prefix("0x") {
                current = u64::from_str_radix(address, 16).ok().and_then(&mut takes);
                continue;
            }
            let place = line(&mut text)?;
            if let Some(address) = current {
                return Some((address, Frame::at(&place, function)));
            }
        }
    })
}

impl Frame {
    /// Reads a place such as `/tmp/main.cpp:12 (discriminator 3)`, or `??:?` if it is unknown.
    fn at(place: &str, function: String) -> Self {
        let (path, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let line = line.split(' ').next().and_then(|line| line.parse().ok()).unwrap_or(0);
        let is_source = path.rsplit('/').next() == Some(SOURCE_FILE);
        let file = match path {
            _ if is_source => SOURCE_FILE,
            UNKNOWN => "",
            path => path,
        };
        Self { function, file: file.into(), line }
    }

    /// Whether the frame's code is in the submitted source.
    pub fn is_in_source(&self) -> bool {
        self.file == SOURCE_FILE
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
    fn frames_belong_to_the_address_before_them() {
        let text =
            "f\na.h:1\n0x0000000000401100\nwork(int)\n/tmp/main.cpp:7\n0xzz\nf\na.h:1\n0x1\nf";
        let frame = Frame { function: "work(int)".into(), file: SOURCE_FILE.into(), line: 7 };
        assert!(frames(text.as_bytes(), Some).eq([(0x40_1100, frame)]));
        assert_eq!(frames(text.as_bytes(), |_| None::<u64>).count(), 0);
    }

    #[test]
    fn place_has_a_file_and_a_line() {
        for (text, file, line) in [
            ("/tmp/main.cpp:12 (discriminator 3)", SOURCE_FILE, 12),
            ("/usr/include/c++/12/a.h:7", "/usr/include/c++/12/a.h", 7),
            ("/tmp/main.cpp:?", SOURCE_FILE, 0),
            ("??:0", "", 0),
            ("main.cpp", SOURCE_FILE, 0),
            ("", "", 0),
        ] {
            let frame = Frame::at(text, String::new());
            assert_eq!((frame.file.as_str(), frame.line), (file, line), "{text:?}");
            assert_eq!(frame.is_in_source(), file == SOURCE_FILE, "{text:?}");
        }
    }

    #[test]
    fn line_without_end_is_cut() {
        let long = format!("0x1\n{}", "x".repeat(3 << 16));
        assert!(frames(long.as_bytes(), Some).count() <= 2);
    }
}
