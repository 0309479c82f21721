//! The precompiled header that serves a source.
//!
//! At the end of a small program, g++ spends most of its time on templates that a few headers
//! instantiate for themselves, such as `<regex>` and `<filesystem>`. The lean header is
//! `<bits/stdc++.h>` without them. A source that has no name that only they declare is the same
//! program with it, to the byte. In doubt the full header serves: that only takes longer. If g++
//! refuses the source, the full header decides, so that messages are those of plain g++.

use runner_protocol::{PRECOMPILED_DIR, PRECOMPILED_FLAGS, PRECOMPILED_HEADER, header_folder};
use std::fs;
use std::path::{Path, PathBuf};

/// Character sequences that change how a source is cut into words: trigraphs, joined words, and
/// other spellings of these and of `#`.
const REWRITTEN: [&str; 3] = ["??", "##", "%:"];
/// Names with a value that depends on the headers before them.
const REFLECTING: [&str; 3] = ["__has_include", "__has_include_next", "__COUNTER__"];

/// Folders of precompiled headers for a compilation.
#[derive(Debug, Default)]
pub(super) struct Headers {
    /// The lean header, if it serves the source.
    pub(super) lean: Option<PathBuf>,
    /// The whole standard library.
    pub(super) full: Option<PathBuf>,
}

impl Headers {
    /// Returns the headers for this source and these flags. With other flags than its own, g++ may
    /// accept a header too, and then generate different code.
    pub(super) fn of(source: &Path, flags: &[String]) -> Self {
        if flags != PRECOMPILED_FLAGS {
            return Self::default();
        }
        let folder = Path::new(PRECOMPILED_DIR).join(header_folder());
        let [lean, full] = ["lean", "full"].map(|name| folder.join(name));
        let read = |name| fs::read_to_string(folder.join(name)).ok();
        let serves = || {
            let (names, includes) = (read("names")?, read("includes")?);
            let lean = Lean { names: lines(&names), includes: lines(&includes) };
            Some(lean.serves(&fs::read(source).ok()?))
        };
        let serves = serves() == Some(true);
        Self { lean: serves.then_some(lean), full: full.is_dir().then_some(full) }
    }
}

fn lines(text: &str) -> Vec<&[u8]> {
    text.lines().map(str::as_bytes).collect()
}

/// The lean header. Both lists are sorted.
struct Lean<'a> {
    /// Names that only the full header has.
    names: Vec<&'a [u8]>,
    /// Headers that the lean one includes.
    includes: Vec<&'a [u8]>,
}

impl Lean<'_> {
    /// Whether `source` is the same program with the lean header. Comments and literals count as
    /// code, because that is simpler and never wrong.
    fn serves(&self, source: &[u8]) -> bool {
        let has = |text: &str| source.windows(text.len()).any(|at| at == text.as_bytes());
        !REWRITTEN.into_iter().any(has)
            && !splits_words(source)
            && directives(source).all(|rest| self.has_same_meaning(rest))
            && !words(source).any(|word| self.distinguishes(word))
    }

    fn distinguishes(&self, word: &[u8]) -> bool {
        REFLECTING.iter().any(|name| name.as_bytes() == word)
            || self.names.binary_search(&word).is_ok()
    }

    /// Whether a directive, from the end of its `#`, includes nothing or a header that is part of
    /// the lean one.
    fn has_same_meaning(&self, rest: &[u8]) -> bool {
        let rest = rest.trim_ascii_start();
        // A comment or the end of the line may stand before the directive's name.
        if rest.starts_with(b"/") || rest.starts_with(b"\\") {
            return false;
        }
        let (name, rest) = rest.split_at(rest.iter().take_while(|byte| is_word(**byte)).count());
        if name != b"include" {
            return !matches!(name, b"import" | b"include_next");
        }
        let header = rest.trim_ascii_start().strip_prefix(b"<");
        let header = header.and_then(|rest| rest.split(|byte| *byte == b'>').next());
        header.is_some_and(|header| {
            header == PRECOMPILED_HEADER.as_bytes() || self.includes.binary_search(&header).is_ok()
        })
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Identifiers and the suffixes of numbers, which may be names too.
fn words(source: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = source.split(|byte| !is_word(*byte));
    words.map(|word| &word[word.iter().take_while(|byte| byte.is_ascii_digit()).count()..])
}

/// The rest of the line after each `#`.
fn directives(source: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = source.split(|byte| *byte == b'\n');
    lines.flat_map(|line| line.split(|byte| *byte == b'#').skip(1))
}

/// Whether a backslash at the end of a line joins two words.
fn splits_words(source: &[u8]) -> bool {
    let lines = || source.split(|byte| *byte == b'\n');
    lines().zip(lines().skip(1)).any(|(line, next)| {
        let before = line.trim_ascii_end().strip_suffix(b"\\").and_then(<[u8]>::last);
        let joined = [before, next.first()];
        joined.iter().all(|byte| byte.is_some_and(|byte| !byte.is_ascii_whitespace()))
    })
}

#[cfg(test)]
mod tests;
