//! Edits of an input's text, which keep its number of lines and of words in each line.

mod shrink;
mod variation;

pub use shrink::Shrink;
pub use variation::varied;

/// Longest input that is edited, in bytes.
const MAX_BYTES: usize = 4 << 10;

/// A word, its index and the index of its line.
struct Word<'t> {
    at: usize,
    line: usize,
    text: &'t str,
}

fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let lines = text.lines().enumerate();
    let words = lines.flat_map(|(line, text)| text.split(' ').map(move |word| (line, word)));
    words.enumerate().map(|(at, (line, text))| Word { at, line, text })
}

/// The number of a word. A word with leading zeros is no number.
fn number(word: &str) -> Option<i64> {
    word.parse().ok().filter(|number: &i64| number.to_string() == word)
}
