//! Queries of several kinds.

pub(crate) mod compile;

use crate::draw::earlier::Earlier;
use crate::draw::random::{GOLDEN, RandomStream};
use crate::draw::shuffle::Shuffle;
use crate::draw::span::Span;
use crate::draw::strata::Strata;
use crate::expression::Expression;
use crate::limits::{MAX_DRAWS, MAX_FIELDS};
use crate::writer::InputWriter;
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::Arc;

/// Queries, one in each row.
#[derive(Debug, Clone)]
pub(crate) struct DrawnQueries {
    pub(crate) len: u64,
    variants: Vec<Variant<Vec<Drawn>>>,
    stream: RandomStream,
    ends_empty: bool,
    distinct: bool,
}

/// A kind of query. `P` are its parts: with their path in the spec, or at one n.
#[derive(Debug, Clone)]
struct Variant<P> {
    weight: u64,
    /// The numbers of elements that it adds to a collection and takes out of it.
    adds: u64,
    removes: u64,
    parts: P,
}

/// A field of a query. `N` is a number, `R` a range, and `S` a variable with rows: as the plan has
/// them, or at one n.
#[derive(Debug, Clone)]
enum Part<N, R, S> {
    Literal(Arc<str>),
    Number(NumberOf<R, N>),
    Interval { range: R, distinct: bool, rising: N },
    List { range: R, distinct: bool, rising: bool },
    Element(Elements<S>),
    Added,
}

/// A number. It is not below the number of field `not_below` if there is one; above it if
/// `distinct`.
#[derive(Debug, Clone)]
struct NumberOf<R, N> {
    range: R,
    not_below: Option<usize>,
    distinct: bool,
    other_than: Option<usize>,
    /// The order of numbers of which none comes twice.
    unique: Option<Shuffle>,
    is_unique: bool,
    rising: N,
    /// The largest number while the collection is empty.
    grows: Option<i64>,
    is_growing: bool,
}

/// A row of another variable.
#[derive(Debug, Clone)]
struct Elements<S> {
    of: S,
    distinct: bool,
    once: bool,
    all: bool,
}

/// Half of the bits of a hash.
const HALF: u32 = 32;

/// A plan knows whether numbers rise. At one n, they have strata.
type Planned = Part<bool, [Expression; 2], usize>;
type Drawn = Part<Option<Strata>, Span, Earlier>;

/// Numbers of the fields of a row, as far as it is written. Each element is that of its string.
type Row = [i64; MAX_FIELDS];

/// The queries before a row.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// The number of elements in the collection.
    there: u64,
    /// For each kind of query: the number of them, and a position among the rows of an element.
    drawn: Vec<(u64, u64)>,
    /// The elements in the collection, if queries name them.
    elements: Vec<i64>,
    /// Hashes of the numbers of each query, if queries differ.
    seen: HashSet<u64>,
}

impl DrawnQueries {
    /// Maximum number of bytes of a row.
    pub(crate) fn bytes(&self) -> u64 {
        let rows = self.variants.iter().map(|variant| row_bytes(&variant.parts));
        rows.max().unwrap_or(1)
    }

    /// Writes the values of query i. Only queries are chosen that are possible after the earlier
    /// ones.
    pub(crate) fn write<W: Write>(
        &self,
        i: u64,
        history: &mut History,
        out: &mut InputWriter<'_, W>,
    ) -> io::Result<()> {
        let mut stream = self.stream.substream(i);
        history.drawn.resize(self.variants.len(), (0, 0));
        let left = self.len - 1 - i;
        let Some(at) = self.choose(stream, history, left) else { return Ok(()) };
        let variant = &self.variants[at];
        if self.distinct {
            stream = variant.other(Place { i, at, field: 0, stream }, history);
        }
        let mut row = [0; MAX_FIELDS];
        for field in 0..variant.parts.len() {
            let place = Place { i, at, field, stream };
            variant.parts[field].write(place, &mut row, history, out)?;
        }
        history.drawn[at].0 += 1;
        history.there = history.there - variant.removes + variant.adds;
        let number = variant.parts.iter().position(|part| matches!(part, Part::Number(_)));
        if let (true, Some(number)) = (variant.adds > 0 && self.names_elements(), number) {
            history.elements.push(row[number]);
        }
        Ok(())
    }

    /// The kind of the next query, `left` queries before the last one.
    fn choose(&self, stream: RandomStream, history: &History, left: u64) -> Option<usize> {
        let all = || self.variants.iter().zip(&history.drawn).enumerate();
        let is_possible =
            |(variant, drawn): (&Variant<_>, &(u64, u64))| variant.is_possible(history, drawn.0);
        // Without a query that is due or ends empty, any possible one is chosen.
        let due = all().any(|(_, (variant, drawn))| variant.due(drawn.0) > left);
        let net = |variant: &Variant<_>| variant.removes.saturating_sub(variant.adds);
        let most = self.variants.iter().map(net).max().unwrap_or_default();
        let empties = |variant: &Variant<_>| {
            let after = history.there.saturating_sub(variant.removes) + variant.adds;
            !self.ends_empty || after <= left.saturating_mul(most)
        };
        let wanted =
            |variant: &Variant<_>, drawn: u64| empties(variant) && (!due || variant.due(drawn) > 0);
        let is_strict = (due || self.ends_empty)
            && all().any(|(_, both)| is_possible(both) && wanted(both.0, both.1.0));
        let possible = || {
            all().filter(|(_, both)| is_possible(*both) && (!is_strict || wanted(both.0, both.1.0)))
        };
        let total: u64 = possible().map(|(_, (variant, _))| variant.weight).sum();
        let mut chosen = stream.up_to(0, total.saturating_sub(1));
        let found = possible().find(|(_, (variant, _))| match chosen.checked_sub(variant.weight) {
            Some(rest) => {
                chosen = rest;
                false
            }
            None => true,
        });
        found.map(|(at, _)| at)
    }

    /// Whether queries name elements of the collection.
    fn names_elements(&self) -> bool {
        self.variants.iter().any(Variant::names_element)
    }
}

impl Variant<Vec<Drawn>> {
    /// The stream of a query whose numbers no earlier one has, if a few draws find one.
    fn other(&self, place: Place, history: &mut History) -> RandomStream {
        let mut streams = (0..MAX_DRAWS).map(|draw| place.stream.substream(draw));
        let found = streams.find(|stream| {
            let mut numbers = self.numbers(Place { stream: *stream, ..place }, history);
            numbers.sort_unstable();
            let mix = |hash: u64, number: &i64| {
                (hash ^ number.cast_unsigned()).wrapping_mul(GOLDEN).rotate_left(HALF)
            };
            history.seen.insert(numbers.iter().fold(0, mix))
        });
        found.unwrap_or(place.stream)
    }

    /// The numbers of a query.
    fn numbers(&self, place: Place, history: &History) -> Vec<i64> {
        let (mut row, mut all) = ([0; MAX_FIELDS], Vec::new());
        for (field, part) in self.parts.iter().enumerate() {
            let place = Place { field, ..place };
            match part {
                Part::Number(number) => {
                    row[field] = number.draw(place, &row, history);
                    all.push(row[field]);
                }
                Part::Interval { range, distinct, rising } => {
                    all.extend(interval(range, *distinct, *rising, place));
                }
                _ => {}
            }
        }
        all
    }

    fn names_element(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Added))
    }

    /// Whether such a query can follow, of which there have been `drawn`.
    fn is_possible(&self, history: &History, drawn: u64) -> bool {
        let allows = |part: &Drawn| match part {
            Part::Number(NumberOf { range, grows: Some(most), .. }) => {
                most.saturating_add_unsigned(history.there) >= range.min
            }
            Part::Number(NumberOf { range, unique: Some(_), .. }) => drawn <= range.width,
            Part::Element(Elements { of, once: true, .. }) => drawn < of.rows(),
            Part::Added => !history.elements.is_empty(),
            _ => true,
        };
        self.removes <= history.there && self.parts.iter().all(allows)
    }

    /// The number of queries of this kind that must follow.
    fn due(&self, drawn: u64) -> u64 {
        let rows = self.parts.iter().filter_map(|part| match part {
            Part::Element(Elements { of, all: true, .. }) => Some(of.rows()),
            _ => None,
        });
        rows.max().unwrap_or_default().saturating_sub(drawn)
    }
}

/// The largest number of bytes of a row with these parts.
fn row_bytes(parts: &[Drawn]) -> u64 {
    let before = [None].into_iter().chain(parts.iter().map(Some));
    let part = |(part, before): (&Drawn, Option<&Drawn>)| match part {
        Part::Literal(text) => text.len() as u64 + 1,
        Part::Number(NumberOf { range, .. }) => range.bytes(0),
        Part::Interval { range, .. } => 2 * range.bytes(0),
        Part::List { range, .. } => longest(before).saturating_mul(range.bytes(0)),
        Part::Element(Elements { of, .. }) => of.bytes(),
        Part::Added => Span::new(i64::MIN, i64::MAX).map_or(1, |span| span.bytes(0)),
    };
    parts.iter().zip(before).map(part).fold(0, u64::saturating_add)
}

/// The largest length of a list, which is the number before it.
fn longest(before: Option<&Drawn>) -> u64 {
    match before {
        Some(Part::Number(NumberOf { range, .. })) => {
            u64::try_from(range.number(range.width)).unwrap_or_default()
        }
        _ => 0,
    }
}

/// The place of a field: query i, which is of kind `at`, and the index of the field in it.
#[derive(Debug, Clone, Copy)]
struct Place {
    i: u64,
    at: usize,
    field: usize,
    stream: RandomStream,
}

impl Drawn {
    /// Writes the values of a field, and adds its number to the row.
    fn write<W: Write>(
        &self,
        place: Place,
        row: &mut Row,
        history: &mut History,
        out: &mut InputWriter<'_, W>,
    ) -> io::Result<()> {
        let Place { at, field: index, stream, .. } = place;
        let field = 2 * index as u64 + 1;
        let before = index.checked_sub(1).map_or(0, |before| row[before]);
        match self {
            Part::Literal(text) => out.text(text),
            Part::Number(number) => {
                row[index] = number.draw(place, row, history);
                out.number(row[index], 0)
            }
            Part::Interval { range, distinct, rising } => {
                let ends = interval(range, *distinct, *rising, place);
                ends.iter().try_for_each(|end| out.number(*end, 0))
            }
            Part::List { range, distinct, rising } => {
                let stream = stream.substream(field);
                let len = u64::try_from(before).unwrap_or_default();
                let strata = rising.then(|| Strata::new(stream, *range, len));
                let order = distinct.then(|| Shuffle::new(stream, range.width));
                (0..len).try_for_each(|i| {
                    let number = match (strata, order) {
                        (Some(strata), _) => strata.number(i),
                        (None, Some(order)) => range.number(order.value_at(i)),
                        (None, None) => range.draw(stream, i),
                    };
                    out.number(number, 0)
                })
            }
            Part::Element(Elements { of, once: true, .. }) => {
                let (drawn, cursor) = &mut history.drawn[at];
                of.row(*drawn, cursor, out)
            }
            Part::Element(Elements { of, distinct, .. }) => {
                let mut element = stream.up_to(field, of.rows() - 1 - u64::from(*distinct));
                element += u64::from(*distinct && element >= before.unsigned_abs());
                row[index] = element.cast_signed();
                of.row(element, &mut 0, out)
            }
            Part::Added => {
                let last = history.elements.len().saturating_sub(1);
                let chosen = usize::try_from(stream.up_to(field, last as u64)).unwrap_or(last);
                row[index] = history.elements.swap_remove(chosen);
                out.number(row[index], 0)
            }
        }
    }
}

/// The ends of an interval.
fn interval(range: &Span, distinct: bool, rising: Option<Strata>, place: Place) -> [i64; 2] {
    let Place { i, field, stream, .. } = place;
    if let Some(ends) = rising {
        return [ends.number(2 * i), ends.number(2 * i + 1)];
    }
    let field = 2 * field as u64 + 1;
    let one = stream.up_to(field, range.width);
    let mut other = stream.up_to(field + 1, range.width - u64::from(distinct));
    other += u64::from(distinct && other >= one);
    [range.number(one.min(other)), range.number(one.max(other))]
}

impl NumberOf<Span, Option<Strata>> {
    fn draw(&self, place: Place, row: &Row, history: &History) -> i64 {
        let range = &self.range;
        if let Some(order) = &self.unique {
            return range.number(order.value_at(history.drawn[place.at].0));
        }
        if let Some(strata) = &self.rising {
            return strata.number(place.i);
        }
        // The earlier number is at most the largest one of this field.
        let least = self.not_below.map_or(range.min, |it| row[it] + i64::from(self.distinct));
        let grown = self.grows.map(|most| most.saturating_add_unsigned(history.there));
        let most = grown.unwrap_or_else(|| range.number(range.width));
        let field = 2 * place.field as u64 + 1;
        let Some(range) = Span::new(least.max(range.min), most) else { return least };
        let other = self.other_than.map(|it| row[it]).filter(|other| {
            range.width > 0 && (range.min..=range.number(range.width)).contains(other)
        });
        match other {
            None => range.draw(place.stream, field),
            Some(other) => {
                let offset = place.stream.up_to(field, range.width - 1);
                range.number(offset + u64::from(range.number(offset) >= other))
            }
        }
    }
}
