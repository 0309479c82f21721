//! Words: their cost, and the meanings of a column of words.

use super::lists::are_distinct;
use crate::reading::content::{Argument, Numbers};
use crate::reading::cost::{self, Cost};
use crate::reading::view::{PartView, Row};
use std::collections::HashSet;

/// Lists of words as a kind, with the cost of the words.
pub(crate) fn of_lists(lists: &[Vec<&str>]) -> (Numbers, Cost) {
    let distinct = are_distinct(lists.iter().map(Vec::as_slice));
    let all = || lists.iter().flatten().copied();
    let longest = all().map(str::len).max().unwrap_or_default();
    let lengths = cost::times(all().count(), cost::choice(longest as f64));
    (Numbers::Words(distinct), cost::WORDS + lengths + cost::characters(all()))
}

/// Whether a column has words.
pub(super) fn are_words(rows: &[Row<'_>], column: usize) -> bool {
    rows.iter().any(|(_, row)| row.get(column).is_some_and(|word| word.number.is_none()))
}

/// Meanings of a column of words: any words, or those of an earlier part.
pub(super) fn of_column(
    view: &PartView<'_>,
    rows: &[Row<'_>],
    column: usize,
) -> Vec<(Argument, Cost)> {
    let all: Vec<&str> =
        rows.iter().filter_map(|(_, row)| Some(row.get(column)?.text.as_str())).collect();
    let elements = (0..view.index).filter_map(|part| {
        let words = view.words_of(part)?;
        let known: HashSet<&str> = words.iter().flatten().copied().collect();
        let ways = words.iter().map(Vec::len).max().unwrap_or_default() as f64;
        let price = cost::KNOWN + cost::times(all.len(), cost::choice(ways));
        all.iter()
            .all(|word| known.contains(word))
            .then_some((Argument::Element(part, false), price))
    });
    let any = (Argument::Word, of_lists(std::slice::from_ref(&all)).1);
    elements.chain([any]).collect()
}
