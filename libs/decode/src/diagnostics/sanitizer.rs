//! The report of AddressSanitizer or UndefinedBehaviorSanitizer at the end of a program's stderr.
//!
//! ```text
//! ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6040000000c0 at pc …
//! READ of size 4 at 0x6040000000c0 thread T0
//!     #0 0x55555563a14f in f /tmp/main.cpp:3
//!
//! SUMMARY: AddressSanitizer: heap-buffer-overflow /tmp/main.cpp:3 in f
//! ```
//!
//! ```text
//! main.cpp:3:14: runtime error: signed integer overflow: 12 + 2147483647 cannot be represented …
//!     #0 0x55555563a12d in add(int, int) /tmp/main.cpp:3
//! ```
//!
//! A program can write such a text itself. The last report counts, because it ends the program.

use crate::addr2line::OwnFiles;

use crate::SOURCE_FILE;
use std::iter;

const ADDRESS_SANITIZER: &str = "AddressSanitizer";
const UNDEFINED_SANITIZER: &str = "UndefinedBehaviorSanitizer";
/// Beginning of AddressSanitizer's report, after the process's id.
const ERROR: &str = "==ERROR: AddressSanitizer: ";
/// Beginning of the line that sums up that report.
const SUMMARY: &str = "SUMMARY: AddressSanitizer: ";
/// Line that AddressSanitizer prints before a report about a signal.
const SIGNAL: &str = "AddressSanitizer:DEADLYSIGNAL";
/// Kind of the report after abort(3).
const ABORT: &str = "ABRT";
/// Text before the report about an allocation that is too large, and its size.
const ALLOCATION: &str = "requested allocation size 0x";
/// Text between the place and the error in UndefinedBehaviorSanitizer's report.
const RUNTIME_ERROR: &str = ": runtime error: ";
/// Beginning of a frame of a trace.
const FRAME: char = '#';
/// Maximum length of a text in a finding, in characters.
const MAX_CHARS: usize = 200;

/// A line of a file of the program, by the file's path: [`SOURCE_FILE`] for the submitted source.
type Line<'a> = (&'a str, u32);

/// An error that a sanitizer found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The sanitizer.
    pub sanitizer: &'static str,
    /// Kind of the error, in the sanitizer's words.
    pub kind: String,
    /// More about the error; empty if nothing is known.
    pub detail: String,
    /// Path of the file of the line; empty for the submitted source.
    pub file: String,
    /// Line of the program's files, from 1; 0 if it is unknown.
    pub line: u32,
    /// Function of that line; empty if it is unknown.
    pub function: String,
}

impl Finding {
    /// Reads the end of the stderr of a program with these files. `None` if it has no report.
    pub fn parse(stderr: &[u8], own: &OwnFiles) -> Option<Self> {
        let text = String::from_utf8_lossy(stderr);
        match (text.rfind(ERROR), text.rfind(RUNTIME_ERROR)) {
            (Some(address), undefined) if undefined.is_none_or(|it| it < address) => {
                Some(Self::of_address(&text[..address], &text[address + ERROR.len()..], own))
            }
            (_, Some(undefined)) => {
                let begin = text[..undefined].rfind('\n').map_or(0, |end| end + 1);
                let report = &text[undefined + RUNTIME_ERROR.len()..];
                Some(Self::of_undefined(&text[begin..undefined], report, own))
            }
            _ => None,
        }
    }

    /// Reads AddressSanitizer's report, and what the program wrote before it.
    fn of_address(before: &str, report: &str, own: &OwnFiles) -> Self {
        let summary = report.lines().find_map(|line| line.strip_prefix(SUMMARY));
        let kind = summary.unwrap_or(report).split_whitespace().next().unwrap_or_default();
        let detail = match kind {
            ABORT => last_words(before).into(),
            _ => detail_of_address(report),
        };
        let frame = source_frames(report, own).next();
        Self::new(ADDRESS_SANITIZER, if kind == ABORT { "abort" } else { kind }, &detail).at(frame)
    }

    /// Reads UndefinedBehaviorSanitizer's report: the place of the error, and the rest.
    fn of_undefined(place: &str, report: &str, own: &OwnFiles) -> Self {
        let message = report.lines().next().unwrap_or_default();
        let (kind, detail) = message.split_once(": ").unwrap_or((message, ""));
        let frames = || source_frames(report, own);
        let frame = match line_in_source(place, own) {
            Some(line) => {
                let frame = frames().find(|(of, _)| *of == line).or_else(|| frames().next());
                Some((line, frame.map_or("", |(_, function)| function)))
            }
            None => frames().next(),
        };
        Self::new(UNDEFINED_SANITIZER, kind, detail).at(frame)
    }

    fn new(sanitizer: &'static str, kind: &str, detail: &str) -> Self {
        let [kind, detail] = [kind, detail].map(clean);
        Self { sanitizer, kind, detail, file: String::new(), line: 0, function: String::new() }
    }

    fn at(self, frame: Option<(Line<'_>, &str)>) -> Self {
        let Some(((file, line), function)) = frame else { return self };
        let file = Some(file).filter(|file| *file != SOURCE_FILE).unwrap_or_default();
        Self { file: file.into(), line, function: clean(function), ..self }
    }
}

/// Describes the access, from the lines of AddressSanitizer's report before its first trace.
fn detail_of_address(report: &str) -> String {
    let mut said = String::new();
    let head = report.lines().take_while(|line| !line.trim_start().starts_with(FRAME));
    for line in head {
        for (word, lower) in [("READ", "read"), ("WRITE", "write")] {
            let size = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(" of size "));
            let size = size.and_then(|rest| rest.split(' ').next()?.parse::<u64>().ok());
            if let Some(size) = size {
                said = format!("{lower} of {size} byte{}", if size == 1 { "" } else { "s" });
            } else if line.contains(&format!("caused by a {word} memory access")) {
                said = lower.into();
            }
        }
        if line.contains("address points to the zero page") {
            said += " through a null pointer";
        }
        let size = line.strip_prefix(ALLOCATION).and_then(|rest| rest.split(' ').next());
        if let Some(size) = size.and_then(|size| u64::from_str_radix(size, 16).ok()) {
            said = format!("{size} bytes");
        }
    }
    said
}

/// The last line that the program or its library wrote before the report about abort(3).
fn last_words(before: &str) -> &str {
    let own = before.rsplit_once(SIGNAL).map_or("", |(own, _)| own);
    own.lines().next_back().unwrap_or_default()
}

/// The frames of the first trace whose code is in the program's files, each as its line and its
/// function, from the innermost outwards.
fn source_frames<'a>(
    report: &'a str,
    own: &'a OwnFiles,
) -> impl Iterator<Item = (Line<'a>, &'a str)> {
    let is_frame = |line: &&str| line.trim_start().starts_with(FRAME);
    let mut lines = report.lines().skip_while(move |line| !is_frame(line)).take_while(is_frame);
    iter::from_fn(move || {
        lines.find_map(|line| {
            let (_, named) = line.split_once(" in ")?;
            let (function, place) = named.rsplit_once(' ')?;
            Some((line_in_source(place, own)?, function))
        })
    })
}

/// The line of a place such as `/tmp/main.cpp:3` or `main.cpp:3:14`; `None` if it is not in the
/// program's files.
fn line_in_source<'a>(place: &str, own: &'a OwnFiles) -> Option<Line<'a>> {
    let (path, rest) = place.split_once(':')?;
    let line = rest.split(':').next()?.parse().ok().filter(|line| *line > 0)?;
    own.source(path).map(|file| (file, line))
}

/// The beginning of a text, without control characters.
fn clean(text: &str) -> String {
    text.trim().chars().filter(|it| !it.is_control()).take(MAX_CHARS).collect()
}

#[cfg(test)]
mod tests;
