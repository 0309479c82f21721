//! Layout of sections and lines.

use crate::report::{candidate_name, readable};
use profiler_proto::v1::ProfileReport;
use std::iter::repeat_n;

/// Units, which stay on the line of their number.
const UNITS: [&str; 3] = [" %", " ms", " MiB"];
const NO_BREAK: &str = "\u{a0}";
/// Prefix of foreign lines.
pub(super) const QUOTE: &str = "  | ";
/// End of a shortened text.
pub(super) const CUT: &str = "…";
/// Maximum number of characters of a foreign line that are shown.
const COLUMNS: usize = 100;
/// Maximum number of bytes of an input or an answer in a result.
pub const SHOWN_BYTES: usize = 4 << 10;

/// Prepares a command for [`wrapped`], which then keeps it on one line, so that nobody copies half
/// of it.
pub fn unbroken(command: &str) -> String {
    command.replace(' ', NO_BREAK)
}

/// Joins the sections that are not empty.
pub(super) fn joined(sections: impl IntoIterator<Item = String>) -> String {
    let mut sections: Vec<_> = sections.into_iter().collect();
    sections.retain(|section| !section.is_empty());
    sections.join("\n\n")
}

/// Names a size, and its candidate if there are several.
pub(crate) fn place(report: &ProfileReport, size: u64, candidate: u32) -> String {
    let name = candidate_name(report, candidate);
    let name = name.map(|name| format!(", {}", readable(name))).unwrap_or_default();
    format!("n = {size}{name}")
}

/// Puts a prefix in front of every line of a text.
pub(super) fn prefixed(prefix: &str, text: &str) -> String {
    let lines: Vec<_> = text.lines().map(|line| format!("{prefix}{line}")).collect();
    lines.join("\n")
}

/// Quotes the first `most` lines of a text. The whole text has `bytes` bytes. If that is more than
/// [`SHOWN_BYTES`], `text` is only its beginning.
pub fn shown(text: &str, bytes: u64, most: usize) -> String {
    let readable = readable(text);
    let lines: Vec<_> =
        readable.lines().take(most).map(|line| QUOTE.to_owned() + &cut(line)).collect();
    let is_cut = readable.lines().count() > most
        || readable.lines().any(|line| line.chars().count() > COLUMNS)
        || bytes > SHOWN_BYTES as u64;
    let rest = is_cut.then(|| format!("  … {bytes} bytes in all"));
    lines.into_iter().chain(rest).collect::<Vec<_>>().join("\n")
}

/// Shortens a line or word that is too long.
pub fn cut(line: &str) -> String {
    cut_to(line, COLUMNS)
}

/// Shortens a text to this many characters.
pub(super) fn cut_to(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some((end, _)) => format!("{}{CUT}", &text[..end]),
        None => text.to_owned(),
    }
}

/// Breaks every line between words, so that it fits into `width` columns of the terminal. Further
/// lines are indented by `indent` blanks, or by half of the width if that is less. A longer word
/// keeps its whole length: people copy paths.
pub fn wrapped(text: &str, indent: usize, width: Option<usize>) -> String {
    let Some(width) = width else { return text.replace(NO_BREAK, " ") };
    let indent = indent.min(width / 2);
    let lines: Vec<_> = text.lines().map(|line| wrapped_line(line, indent, width)).collect();
    lines.join("\n")
}

fn wrapped_line(line: &str, indent: usize, width: usize) -> String {
    let joined =
        UNITS.iter().fold(line.to_owned(), |line, unit| line.replace(unit, &unbroken(unit)));
    let mut words = joined.split(' ');
    let mut wrapped = words.next().unwrap_or_default().to_owned();
    let mut taken = columns(&wrapped);
    for word in words {
        let more = columns(word) + 1;
        if taken + more > width && !word.is_empty() {
            wrapped.truncate(wrapped.trim_end().len());
            wrapped.push('\n');
            wrapped.extend(repeat_n(' ', indent));
            taken = indent + more - 1;
        } else {
            wrapped.push(' ');
            taken += more;
        }
        wrapped.push_str(word);
    }
    wrapped.replace(NO_BREAK, " ")
}

/// Counts the columns of the terminal that a text takes. The sequences that colour it take none.
fn columns(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let before = parts.next().unwrap_or_default();
    let after = parts.map(|part| part.split_once('m').map_or(part, |(_, text)| text));
    [before].into_iter().chain(after).map(|part| part.chars().count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        let text = "7\n".repeat(30);
        let cut = shown(&text, text.len() as u64, 2);
        assert_eq!(cut, "  | 7\n  | 7\n  … 60 bytes in all");
        let wide = shown(&"x".repeat(200), 200, 2);
        assert_eq!(wide, format!("  | {}…\n  … 200 bytes in all", "x".repeat(100)));
        assert_eq!(shown("a\n\x1b[2J\n", 6, 2), "  | a\n  | ␛[2J");
    }

    #[test]
    fn lines_break_between_words() {
        let text = "a name  what was found there\nnext";
        assert_eq!(wrapped(text, 0, None), text);
        assert_eq!(
            wrapped(text, 8, Some(16)),
            "a name  what was\n        found\n        there\nnext"
        );
        assert_eq!(wrapped("/a/long/path is kept", 2, Some(10)), "/a/long/path\n  is kept");
        assert_eq!(wrapped("one two", 90, Some(4)), "one\n  two");
        let command = format!("run {}", unbroken("echo 0 > /proc/a"));
        assert_eq!(wrapped(&command, 2, Some(10)), "run\n  echo 0 > /proc/a");
        assert_eq!(wrapped(&command, 2, None), "run echo 0 > /proc/a");
        assert_eq!(wrapped("above 0.5 % of it", 0, Some(10)), "above\n0.5 % of\nit");
    }

    #[test]
    fn colours_take_no_room() {
        let red = "\u{1b}[31mone two\u{1b}[0m";
        assert_eq!(wrapped(red, 0, Some(7)), red);
        assert_eq!(wrapped(red, 0, Some(6)), "\u{1b}[31mone\ntwo\u{1b}[0m");
    }
}
