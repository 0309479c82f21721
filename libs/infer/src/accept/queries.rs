//! Lines of queries.

use super::Reader;
use super::words::{in_order, number, take};
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Queries, QueryElement, QueryField, QueryRange, query_field};
use std::collections::BTreeSet;

/// A field that has been read: its first word, and the number that this word is.
type Read<'i> = (&'i str, Option<i64>);

impl<'i> Reader<'i> {
    /// The index of the variant that a line is, then the first number of each field. A word counts
    /// as 0.
    pub(super) fn query(&self, queries: &Queries, line: &[&'i str]) -> Result<Vec<i64>, String> {
        let found = (0..).zip(&queries.variants).find_map(|(at, variant)| {
            let (mut rest, mut row) = (line, Vec::new());
            let read = variant.fields.iter().try_for_each(|field| {
                let words = rest;
                self.field(field, &row, &mut rest)?;
                let first = words.first().copied().unwrap_or_default();
                row.push((first, number(first).ok()));
                Ok::<_, String>(())
            });
            let numbers = row.iter().map(|(_, number)| number.unwrap_or_default());
            let all = || [at].into_iter().chain(numbers).collect();
            (read.is_ok() && rest.is_empty()).then(all)
        });
        found.ok_or_else(|| format!("{} is none of the queries", line.join(" ")))
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
                let kept = (!range.distinct || different.len() == list.len())
                    && (!range.rising || list.is_sorted());
                kept.then_some(()).ok_or("has a number twice, or one that falls".into())
            }
            query_field::Kind::Element(element) if self.edges.contains_key(&*element.of) => {
                self.edge_of(element, words)
            }
            query_field::Kind::Element(element) => self.element(element, row, take(words)?),
            query_field::Kind::Added(_) => number(take(words)?).map(|_| ()),
        }
    }

    fn number_of_row(
        &self,
        range: &QueryRange,
        row: &[Read<'i>],
        words: &mut &[&'i str],
    ) -> Result<(), String> {
        // Which numbers are there depends on the earlier queries.
        let number = if range.grows {
            number(take(words)?)?
        } else {
            self.number(words, &range.min, &range.max)?
        };
        let earlier = |field: u32| {
            let earlier = usize::try_from(field).ok().and_then(|at| row.get(at.checked_sub(1)?));
            earlier.and_then(|(_, number)| *number)
        };
        if earlier(range.other_than) == Some(number)
            && self.value(&range.min)? < self.value(&range.max)?
        {
            return Err(format!("{number} is there twice"));
        }
        let not_below = earlier(range.not_below);
        not_below.map_or(Ok(()), |earlier| in_order(&[earlier, number], range.distinct))
    }

    /// Reads an edge of an earlier variable, in any direction.
    fn edge_of(&self, element: &QueryElement, words: &mut &[&'i str]) -> Result<(), String> {
        let (base, edges) =
            self.edges.get(&*element.of).ok_or("refers to edges that are not there")?;
        let mut node = || number(take(words)?).map(|node| node.saturating_sub(*base));
        let (from, to) = (node()?, node()?);
        let known = edges.contains(&(from, to)) || edges.contains(&(to, from));
        known.then_some(()).ok_or("is no edge of that variable".into())
    }

    fn element(&self, element: &QueryElement, row: &[Read<'i>], word: &str) -> Result<(), String> {
        let letters: Vec<i64> = word.bytes().map(i64::from).collect();
        let is_known = match (self.texts.get(&*element.of), self.kind(&element.of)) {
            (Some(all), _) => all.contains(&letters),
            // Strings that no line has can be any.
            (None, Some(Kind::Text(text))) => self.can_be(text, word),
            _ => return Err("refers to strings that are not there".into()),
        };
        let other = !element.distinct || row.last().is_none_or(|(before, _)| *before != word);
        (is_known && other).then_some(()).ok_or(format!("{word} is no other element"))
    }
}
