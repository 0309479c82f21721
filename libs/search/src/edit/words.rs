//! The words of an input.

/// Longest input that is edited, in bytes.
pub(super) const MAX_BYTES: usize = 4 << 10;

/// A word, its index and the index of its line.
pub(super) struct Word<'t> {
    pub(super) at: usize,
    pub(super) line: usize,
    pub(super) text: &'t str,
}

pub(super) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let lines = text.lines().enumerate();
    let words = lines.flat_map(|(line, text)| text.split(' ').map(move |word| (line, word)));
    words.enumerate().map(|(at, (line, text))| Word { at, line, text })
}

/// The number of a word. A word with leading zeros is no number.
pub(super) fn number(word: &str) -> Option<i64> {
    word.parse().ok().filter(|number: &i64| number.to_string() == word)
}
