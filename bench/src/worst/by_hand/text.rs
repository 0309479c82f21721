//! Inputs as text.

use std::fmt::Write;

/// Renders n, then the numbers on a line.
pub(super) fn line(n: u64, numbers: impl Iterator<Item = u64>) -> Vec<u8> {
    let mut text = format!("{n}\n");
    for number in numbers {
        let _ = write!(text, "{number} ");
    }
    text.pop();
    (text + "\n").into()
}

/// Renders a line, then the rows after it.
pub(super) fn rows(head: &str, rows: impl Iterator<Item = String>) -> Vec<u8> {
    [head.to_owned()].into_iter().chain(rows).map(|row| row + "\n").collect::<String>().into()
}

/// Repeats the letter a this many times.
pub(super) fn letters(count: u64) -> String {
    "a".repeat(usize::try_from(count).unwrap_or(0))
}
