//! Words of a line.

use crate::layout::sample::decimal;

pub(super) fn take<'i>(words: &mut &[&'i str]) -> Result<&'i str, String> {
    let (first, rest) = words.split_first().ok_or("the line ends too early")?;
    *words = rest;
    Ok(first)
}

pub(super) fn no_more(words: &[&str]) -> Result<(), String> {
    if words.is_empty() { Ok(()) } else { Err(format!("has {} words too many", words.len())) }
}

pub(super) fn number(word: &str) -> Result<i64, String> {
    word.parse().map_err(|_| format!("{word} is no number"))
}

/// Reads a number with `decimals` decimal places as a multiple of the last one.
pub(super) fn scaled(word: &str, decimals: u32) -> Result<i64, String> {
    decimal(word, decimals).ok_or_else(|| format!("{word} is no number of {decimals} decimals"))
}

/// Checks the order of two numbers, which must also differ if they are `distinct`.
pub(super) fn in_order(pair: &[i64; 2], distinct: bool) -> Result<(), String> {
    let kept = pair[0] < pair[1] || (pair[0] == pair[1] && !distinct);
    kept.then_some(()).ok_or(format!("{pair:?} is not in order"))
}

/// The characters of a word, as numbers.
pub(super) fn characters(word: &str, len: usize, alphabet: &str) -> Result<Vec<i64>, String> {
    if word.len() != len {
        return Err(format!("{word} has {} characters instead of {len}", word.len()));
    }
    word.chars()
        .all(|c| alphabet.contains(c))
        .then(|| word.bytes().map(i64::from).collect())
        .ok_or(format!("{word} has other characters"))
}
