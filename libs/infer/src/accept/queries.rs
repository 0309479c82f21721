//! Lines of queries.

use super::Reader;
use super::words::{in_order, number, take};
use profiler_input::spec::{Queries, QueryElement, QueryField, QueryRange, query_field};
use std::collections::BTreeSet;

/// A field that has been read: its first word, and the number that this word is.
type Read<'i> = (&'i str, Option<i64>);

impl<'i> Reader<'i> {
    /// The index of the variant that a line is.
    pub(super) fn query(&self, queries: &Queries, line: &[&'i str]) -> Result<i64, String> {
        let found = queries.variants.iter().position(|variant| {
            let (mut rest, mut row) = (line, Vec::new());
            let read = variant.fields.iter().try_for_each(|field| {
                let words = rest;
                self.field(field, &row, &mut rest)?;
                let first = words.first().copied().unwrap_or_default();
                row.push((first, number(first).ok()));
                Ok::<_, String>(())
            });
            read.is_ok() && rest.is_empty()
        });
        let none = || format!("{} is none of the queries", line.join(" "));
        found.and_then(|at| i64::try_from(at).ok()).ok_or_else(none)
    }

    /// Reads a field after those of `row`.
    fn field(
        &self,
        field: &QueryField,
        row: &[Read<'i>],
        words: &mut &[&'i str],
    ) -> Result<(), String> {
        match field.kind.as_ref().ok_or("the spec has a field without a kind")? {
            query_field::Kind::Literal(text) => {
                (take(words)? == text).then_some(()).ok_or("is another operation".into())
            }
            query_field::Kind::Number(range) => self.number_of_row(range, row, words),
            query_field::Kind::Interval(range) => {
                let first = self.number(words, &range.min, &range.max)?;
                let last = self.number(words, &range.min, &range.max)?;
                in_order(&[first, last], range.distinct)
            }
            query_field::Kind::List(range) => {
                let len = row.last().and_then(|(_, number)| *number).unwrap_or_default();
                let list = (0..len).map(|_| self.number(words, &range.min, &range.max));
                let list: Vec<i64> = list.collect::<Result<_, _>>()?;
                let different: BTreeSet<_> = list.iter().collect();
                let kept = !range.distinct || different.len() == list.len();
                kept.then_some(()).ok_or("has a number twice".into())
            }
            query_field::Kind::Element(element) => self.element(element, row, take(words)?),
        }
    }

    fn number_of_row(
        &self,
        range: &QueryRange,
        row: &[Read<'i>],
        words: &mut &[&'i str],
    ) -> Result<(), String> {
        let number = self.number(words, &range.min, &range.max)?;
        let earlier =
            usize::try_from(range.not_below).ok().and_then(|at| row.get(at.checked_sub(1)?));
        let earlier = earlier.and_then(|(_, number)| *number);
        earlier.map_or(Ok(()), |earlier| in_order(&[earlier, number], range.distinct))
    }

    fn element(&self, element: &QueryElement, row: &[Read<'i>], word: &str) -> Result<(), String> {
        let all = self.texts.get(&*element.of).ok_or("refers to strings that are not there")?;
        let letters: Vec<i64> = word.bytes().map(i64::from).collect();
        let other = !element.distinct || row.last().is_none_or(|(before, _)| *before != word);
        (all.contains(&letters) && other).then_some(()).ok_or(format!("{word} is no other element"))
    }
}
