//! The shapes that a part of an input can have, and how a shape fits the lines of a sample.

use crate::layout::sample::{Sample, Word};
use std::ops::Range;

/// A count: a scalar that was read earlier in the same scope, or a number computed from this
/// scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Count {
    /// The scalar with this index.
    Scalar(usize),
    OneLess(usize),
    OneMore(usize),
    Double(usize),
    /// The count is not written in the input.
    Free,
}

impl Count {
    /// The value; `None` if the count is free or negative, or if the scalar does not exist.
    pub(crate) fn value(self, scalars: &[i64]) -> Option<usize> {
        let scalar = |index: usize| scalars.get(index).copied();
        let value = match self {
            Self::Scalar(index) => scalar(index)?,
            Self::OneLess(index) => scalar(index)?.checked_sub(1)?,
            Self::OneMore(index) => scalar(index)?.checked_add(1)?,
            Self::Double(index) => scalar(index)?.checked_mul(2)?,
            Self::Free => return None,
        };
        usize::try_from(value).ok()
    }

    /// Index of the scalar that the count is computed from.
    pub(crate) fn scalar(self) -> Option<usize> {
        match self {
            Self::Scalar(i) | Self::OneLess(i) | Self::OneMore(i) | Self::Double(i) => Some(i),
            Self::Free => None,
        }
    }

    /// Every count that can be computed from these scalars.
    pub(crate) fn all(scalars: &[i64]) -> impl Iterator<Item = Self> + use<> {
        let forms = [Self::Scalar, Self::OneLess, Self::OneMore, Self::Double];
        (0..scalars.len()).flat_map(move |index| forms.map(|form| form(index)))
    }

    /// Every count that has this value.
    pub(crate) fn matching(value: usize, scalars: &[i64]) -> impl Iterator<Item = Self> {
        Self::all(scalars).filter(move |count| count.value(scalars) == Some(value))
    }
}

/// A field of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Field {
    /// A number, which becomes the next scalar of the scope.
    Scalar,
    /// A decimal fraction.
    Decimal,
    /// A word of this length.
    Text(Count),
    /// Numbers up to the end of the line.
    Numbers(Count),
    /// Words up to the end of the line.
    Words(Count),
}

impl Field {
    /// The number of characters, numbers or words.
    pub(crate) fn count(self) -> Option<Count> {
        match self {
            Self::Scalar | Self::Decimal => None,
            Self::Text(count) | Self::Numbers(count) | Self::Words(count) => Some(count),
        }
    }
}

/// Common form of the lines of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Width {
    /// This many numbers.
    Columns(usize),
    /// Numbers, as many as this count says.
    Numbers(Count),
    /// One word, with as many characters as this count says.
    Characters(Count),
    /// A code, which determines the number of fields after it.
    Operations,
    /// This many numbers, then the length of a list, then the list.
    Lists(usize),
    /// This many words or numbers. Bit i of the mask is set if column i has words.
    Mixed(u8, usize),
}

/// The shape of consecutive lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// One line.
    Line(Vec<Field>),
    /// `count` lines.
    Block { count: Count, width: Width },
    /// `count` cases, each with scalars of its own. If the count is free, a line of zeros ends the
    /// cases.
    Cases { count: Count, body: Vec<Shape> },
}

/// State of one sample, or of one case of it, in a reading.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    pub(crate) sample: usize,
    /// Index of the line after the parts so far.
    pub(crate) end: usize,
    pub(crate) scalars: Vec<i64>,
    /// The lines of each part.
    pub(crate) parts: Vec<Range<usize>>,
    /// The cases of a part that has cases.
    pub(crate) cases: Vec<Scope>,
}

/// Place of a word at which a shape does not fit: the indexes of its line, and of the word on it.
pub(crate) type Place = (usize, usize);

impl Scope {
    /// The scope with one more part, if the shape fits the lines that come next, or else the first
    /// word that does not fit.
    pub(crate) fn with(&self, shape: &Shape, samples: &[Sample]) -> Result<Self, Place> {
        let lines = &samples[self.sample].lines;
        let here = (self.end, 0);
        let mut next = self.clone();
        match shape {
            Shape::Line(fields) => {
                let words = lines.get(self.end).ok_or(here)?;
                next.read_line(fields, words).map_err(|word| (self.end, word))?;
                next.end += 1;
            }
            Shape::Block { count, width } => {
                let rows = count.value(&self.scalars).ok_or(here)?;
                next.end = self.end.checked_add(rows).ok_or(here)?;
                for at in self.end..next.end {
                    let row = lines.get(at).ok_or((lines.len(), 0))?;
                    width.misfit(row, &self.scalars).map_or(Ok(()), |word| Err((at, word)))?;
                }
                if *width == Width::Operations && !are_operations(&lines[self.end..next.end]) {
                    return Err(here);
                }
            }
            Shape::Cases { count, body } => {
                for _ in 0..count.value(&self.scalars).ok_or(here)? {
                    let start = Scope { sample: self.sample, end: next.end, ..Scope::default() };
                    let case =
                        body.iter().try_fold(start, |case, part| case.with(part, samples))?;
                    next.end = case.end;
                    next.cases.push(case);
                }
            }
        }
        next.parts.push(self.end..next.end);
        Ok(next)
    }

    /// The number of words in a part.
    pub(crate) fn words(&self, part: usize, samples: &[Sample]) -> usize {
        samples[self.sample].lines[self.parts[part].clone()].iter().map(Vec::len).sum()
    }

    /// Reads the fields of a line. An error is the index of the word that does not fit.
    fn read_line(&mut self, fields: &[Field], line: &[Word]) -> Result<(), usize> {
        let mut at = 0;
        for field in fields {
            let word = line.get(at).ok_or(at);
            let fits = match field {
                Field::Scalar => {
                    let word = word?;
                    self.scalars.push(word.number.ok_or(at)?);
                    word.decimals == 0
                }
                Field::Decimal => word?.number.is_some(),
                Field::Text(Count::Free) => word?.number.is_none(),
                Field::Text(count) => count.value(&self.scalars) == Some(word?.text.len()),
                Field::Words(count) => {
                    let rest = &line[at..];
                    if let Some(other) = rest.iter().position(|word| word.number.is_some()) {
                        return Err(at + other);
                    }
                    at += rest.len().saturating_sub(1);
                    let fits =
                        *count == Count::Free || count.value(&self.scalars) == Some(rest.len());
                    fits && !rest.is_empty()
                }
                Field::Numbers(count) => {
                    let rest = &line[at..];
                    if let Some(other) = rest.iter().position(|word| word.number.is_none()) {
                        return Err(at + other);
                    }
                    let fits =
                        *count == Count::Free || count.value(&self.scalars) == Some(rest.len());
                    at += rest.len().saturating_sub(1);
                    fits && !(rest.is_empty() && *count == Count::Free)
                }
            };
            fits.then_some(()).ok_or(at)?;
            at += usize::from(at < line.len());
        }
        if at == line.len() { Ok(()) } else { Err(at) }
    }
}

impl Width {
    /// Whether each row is a record, and not a row of a matrix or grid.
    pub(crate) fn is_records(self) -> bool {
        !matches!(self, Self::Numbers(_) | Self::Characters(_))
    }

    /// Index of the first word that does not fit, if the row does not fit.
    fn misfit(self, row: &[Word], scalars: &[i64]) -> Option<usize> {
        let numbers = |wanted: usize| {
            let other = row.iter().take(wanted).position(|word| word.number.is_none());
            other.or((row.len() != wanted).then_some(wanted.min(row.len())))
        };
        match self {
            Self::Columns(columns) => numbers(columns),
            Self::Numbers(count) => count.value(scalars).map_or(Some(0), numbers),
            Self::Characters(count) => {
                let fits = row.len() == 1 && count.value(scalars) == Some(row[0].text.len());
                (!fits).then_some(0)
            }
            Self::Lists(before) => {
                let length = row.get(before).and_then(|word| usize::try_from(word.number?).ok());
                length.map_or(Some(before.min(row.len())), |length| {
                    numbers(length.saturating_add(before + 1))
                })
            }
            Self::Mixed(mask, columns) => {
                let other = |(at, word): (usize, &Word)| {
                    word.decimals > 0 || word.number.is_some() == (mask >> at & 1 == 1)
                };
                let all = row.iter().take(columns).enumerate();
                let other = all.clone().position(other);
                other.or((row.len() != columns).then_some(columns.min(row.len())))
            }
            Self::Operations => row.is_empty().then_some(0),
        }
    }
}

/// Maximum number of kinds of operations in a task, and largest number that is a code.
pub(crate) const MAX_OPERATIONS: usize = 6;

/// Whether each line begins with a code that determines which fields after it are numbers. A code
/// is a word or a small number.
fn are_operations(rows: &[Vec<Word>]) -> bool {
    let mut arities: Vec<(&str, Vec<bool>)> = Vec::new();
    for row in rows {
        let Some((code, rest)) = row.split_first() else { return false };
        let numbers: Vec<bool> = rest.iter().map(|word| word.number.is_some()).collect();
        match arities.iter().find(|(known, _)| *known == code.text) {
            Some((_, known)) if *known != numbers => return false,
            Some(_) => {}
            None => arities.push((&code.text, numbers)),
        }
    }
    let is_small = |number: i64| usize::try_from(number).is_ok_and(|code| code <= MAX_OPERATIONS);
    let words = rows.iter().all(|row| row[0].number.is_none());
    let small = rows.iter().all(|row| row[0].number.is_some_and(is_small));
    arities.len() <= MAX_OPERATIONS && (words || small)
}
