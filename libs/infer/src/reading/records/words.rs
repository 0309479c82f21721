//! Lines with words: columns of names, and names from an earlier list.

use super::Arguments;
use super::texts::of_lists;
use crate::layout::sample::Word;
use crate::layout::shape::Count;
use crate::reading::content::{Argument, Content, Numbers, Part};
use crate::reading::cost::{self, Cost};
use crate::reading::view::{PartView, Row};
use std::collections::HashSet;

/// Meanings of records of `columns` words or numbers. Bit i of `mask` is set if column i has words.
pub(crate) fn of_words(view: &PartView<'_>, count: Count, mask: u8, columns: usize) -> Vec<Part> {
    let is_word = |column: usize| mask >> column & 1 == 1;
    let rows: Vec<Row<'_>> = view.rows().collect();
    let start = cost::PART + if columns > 1 { cost::RECORDS } else { 0 };
    let plain = (0..columns).map(|column| {
        if is_word(column) {
            let words = view.blocks().map(|(_, rows)| {
                rows.iter().filter_map(|row| Some(row.get(column)?.text.as_str())).collect()
            });
            of_lists(&words.collect::<Vec<Vec<&str>>>())
        } else {
            (Numbers::Any, cost::numbers(&view.column(column)))
        }
    });
    let plain: Vec<(Numbers, Cost)> = plain.collect();
    let price = start + view.rows_cost(count, &[]);
    let codes: HashSet<&str> = rows.iter().map(|(_, row)| &*row[0].text).collect();
    let are_codes = is_word(0) && columns > 1 && 2 * codes.len() <= rows.len();
    let more = if are_codes { cost::CODES_AS_WORDS } else { 0 };
    let mut parts = vec![Part {
        cost: price + more + plain.iter().map(|(_, price)| price).sum::<Cost>(),
        used: count.scalar().into_iter().collect(),
        content: Content::Columns { count, columns: plain.into_iter().map(|it| it.0).collect() },
        doubt: None,
    }];
    for part in 0..view.index {
        if let Some(found) = elements(view, &rows, columns, part, &is_word) {
            parts.push(Part {
                content: Content::records(count, found.all),
                cost: price + found.cost,
                used: count.scalar().into_iter().collect(),
                doubt: None,
            });
        }
    }
    parts
}

/// The columns with words of an earlier part, if all words are there.
fn elements(
    view: &PartView<'_>,
    rows: &[Row<'_>],
    columns: usize,
    part: usize,
    is_word: &dyn Fn(usize) -> bool,
) -> Option<Arguments> {
    let words = view.words_of(part)?;
    for (words, (_, rows)) in words.iter().zip(view.blocks()) {
        let known: HashSet<&str> = words.iter().copied().collect();
        let mut used = (0..columns).filter(|column| is_word(*column));
        if !used.all(|column| rows.iter().all(|row| known.contains(&*row[column].text))) {
            return None;
        }
    }
    let ways = words.iter().map(Vec::len).max().unwrap_or_default() as f64;
    let mut found = Arguments { all: Vec::new(), cost: cost::KNOWN };
    for column in 0..columns {
        if is_word(column) {
            let differs = |row: &[Word]| row[column - 1].text != row[column].text;
            let distinct = column > 0
                && is_word(column - 1)
                && rows.len() > 1
                && rows.iter().all(|(_, row)| differs(row));
            let price = cost::times(rows.len(), cost::choice(ways));
            found = found.with(Argument::Element(part, distinct), price);
        } else {
            let numbers = view.column(column);
            let all = || numbers.iter().flatten();
            let (least, most) = (all().min().copied()?, all().max().copied()?);
            found = found.with(Argument::Number(least, most), cost::numbers(&numbers));
        }
    }
    Some(found)
}
