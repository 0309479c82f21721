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
use runner_protocol::SCRATCH_DIR;
use std::collections::BTreeSet;
use std::io::{BufRead, Read};

/// Text that binutils prints in place of an unknown name or file.
pub const UNKNOWN: &str = "??";
/// The longest line that is read as one, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// Paths of the program's files besides the submitted source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnFiles(BTreeSet<String>);

impl OwnFiles {
    /// The files with these paths, which are relative to the submitted source.
    pub fn new(paths: impl IntoIterator<Item = String>) -> Self {
        Self(paths.into_iter().collect())
    }

    /// Whether the program has only its submitted source.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the program's own file at `path`, as the debug information names it: its path, or
    /// [`SOURCE_FILE`].
    pub(crate) fn source(&self, path: &str) -> Option<&str> {
        let is_source = || path.rsplit('/').next() == Some(SOURCE_FILE);
        self.find(path).or_else(|| is_source().then_some(SOURCE_FILE))
    }

    /// Returns the program's file besides the submitted source at `path`.
    fn find(&self, path: &str) -> Option<&str> {
        let in_scratch = path.strip_prefix(SCRATCH_DIR).and_then(|rest| rest.strip_prefix('/'));
        let relative = in_scratch.or_else(|| Some(path).filter(|path| !path.starts_with('/')));
        // The debug information names a file as the source includes it: `/tmp/lib/../a.h`.
        self.0.get(&normalized(relative?)?).map(String::as_str)
    }
}

/// Returns a relative path without empty parts, `.` and `..`. `None` if it leaves its folder.
pub fn normalized(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A function at an address, and where its code was written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function, with the types of its parameters if the debug information has them.
    pub function: String,
    /// The file: [`SOURCE_FILE`] for the submitted source, any other by its path; empty if it is
    /// unknown. The path of a file of the program is relative.
    pub file: String,
    /// Whether the file is one of the program's.
    pub is_own: bool,
    /// Line number, from 1; 0 if it is unknown.
    pub line: u32,
}

/// The frames in `text` in order, each with the value that `takes` returns for its address. If
/// `takes` returns `None`, the frames of the address are left out. A frame that is cut is left out
/// too.
pub fn frames<A: Copy>(
    mut text: impl BufRead,
    own: &OwnFiles,
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
                return Some((address, Frame::at(&place, function, own)));
            }
        }
    })
}

impl Frame {
    /// Reads a place such as `/tmp/main.cpp:12 (discriminator 3)`, or `??:?` if it is unknown.
    fn at(place: &str, function: String, own: &OwnFiles) -> Self {
        let (path, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let line = line.split(' ').next().and_then(|line| line.parse().ok()).unwrap_or(0);
        let own = own.source(path);
        let outside = if path == UNKNOWN { "" } else { path };
        Self { function, file: own.unwrap_or(outside).into(), is_own: own.is_some(), line }
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
        let (function, file) = ("work(int)".into(), SOURCE_FILE.into());
        let (frame, none) = (Frame { function, file, is_own: true, line: 7 }, OwnFiles::default());
        assert!(frames(text.as_bytes(), &none, Some).eq([(0x40_1100, frame)]));
        assert_eq!(frames(text.as_bytes(), &none, |_| None::<u64>).count(), 0);
    }

    #[test]
    fn own_files_are_those_of_the_program() {
        let own = OwnFiles::new(["lib/a.h", "lib/main.cpp", "b.cpp"].map(String::from));
        for (text, file, is_own) in [
            ("/tmp/lib/a.h:3", "lib/a.h", true),
            ("/tmp/lib/../lib/./a.h:3", "lib/a.h", true),
            ("/tmp/lib/main.cpp:3", "lib/main.cpp", true),
            ("b.cpp:3", "b.cpp", true),
            ("lib/../b.cpp:3", "b.cpp", true),
            ("../b.cpp:3", "../b.cpp", false),
            ("/tmp/main.cpp:3", SOURCE_FILE, true),
            ("/usr/include/b.cpp:3", "/usr/include/b.cpp", false),
            ("/tmp/../tmp/b.cpp:3", "/tmp/../tmp/b.cpp", false),
            ("/tmp/other.h:3", "/tmp/other.h", false),
        ] {
            let frame = Frame::at(text, String::new(), &own);
            assert_eq!((frame.file.as_str(), frame.is_own), (file, is_own), "{text:?}");
        }
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
            let frame = Frame::at(text, String::new(), &OwnFiles::default());
            assert_eq!((frame.file.as_str(), frame.line), (file, line), "{text:?}");
            assert_eq!(frame.is_own, file == SOURCE_FILE, "{text:?}");
        }
    }

    #[test]
    fn line_without_end_is_cut() {
        let long = format!("0x1\n{}", "x".repeat(3 << 16));
        assert!(frames(long.as_bytes(), &OwnFiles::default(), Some).count() <= 2);
    }
}
