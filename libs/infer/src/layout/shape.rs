//! The shapes that a part of an input can have, and how a shape fits the lines of a sample.

use crate::layout::sample::{Sample, Word};
use std::ops::Range;

/// A count: a scalar that was read earlier in the same scope, or a number computed from this
/// scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

    /// Every count that has this value.
    pub(crate) fn matching(value: usize, scalars: &[i64]) -> impl Iterator<Item = Self> {
        let forms = [Self::Scalar, Self::OneLess, Self::OneMore, Self::Double];
        (0..scalars.len())
            .flat_map(move |index| forms.map(|form| form(index)))
            .filter(move |count| count.value(scalars) == Some(value))
    }
}

/// A field of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Field {
    /// A number, which becomes the next scalar of the scope.
    Scalar,
    /// A word of this length.
    Text(Count),
    /// Numbers up to the end of the line.
    Numbers(Count),
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
}

/// The shape of consecutive lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// One line.
    Line(Vec<Field>),
    /// `count` lines.
    Block { count: Count, width: Width },
    /// `count` cases, each with scalars of its own.
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

impl Scope {
    /// The scope with one more part, if the shape fits the lines that come next.
    pub(crate) fn with(&self, shape: &Shape, samples: &[Sample]) -> Option<Self> {
        let lines = &samples.get(self.sample)?.lines;
        let mut next = self.clone();
        match shape {
            Shape::Line(fields) => {
                next.read_line(fields, lines.get(self.end)?)?;
                next.end += 1;
            }
            Shape::Block { count, width } => {
                next.end = self.end.checked_add(count.value(&self.scalars)?)?;
                let rows = lines.get(self.end..next.end)?;
                rows.iter().all(|row| width.fits(row, &self.scalars)).then_some(())?;
                if *width == Width::Operations && !are_operations(rows) {
                    return None;
                }
            }
            Shape::Cases { count, body } => {
                for _ in 0..count.value(&self.scalars)? {
                    let start = Scope { sample: self.sample, end: next.end, ..Scope::default() };
                    let case =
                        body.iter().try_fold(start, |case, part| case.with(part, samples))?;
                    next.end = case.end;
                    next.cases.push(case);
                }
            }
        }
        next.parts.push(self.end..next.end);
        Some(next)
    }

    fn read_line(&mut self, fields: &[Field], words: &[Word]) -> Option<()> {
        let mut words = words.iter();
        for field in fields {
            match field {
                Field::Scalar => self.scalars.push(words.next()?.number?),
                Field::Text(Count::Free) => {
                    words.next().filter(|word| word.number.is_none())?;
                }
                Field::Text(count) => {
                    let length = count.value(&self.scalars)?;
                    words.next().filter(|word| word.text.len() == length)?;
                }
                Field::Numbers(count) => {
                    let rest = words.by_ref();
                    let free = *count == Count::Free;
                    let wanted = if free { rest.len() } else { count.value(&self.scalars)? };
                    let fits = rest.len() == wanted && rest.all(|word| word.number.is_some());
                    fits.then_some(())?;
                }
            }
        }
        words.next().is_none().then_some(())
    }
}

impl Width {
    /// Whether each row is a record, and not a row of a matrix or grid.
    pub(crate) fn is_records(self) -> bool {
        matches!(self, Self::Columns(_) | Self::Operations)
    }

    fn fits(self, row: &[Word], scalars: &[i64]) -> bool {
        let numbers = || row.iter().all(|word| word.number.is_some());
        match self {
            Self::Columns(columns) => row.len() == columns && numbers(),
            Self::Numbers(count) => Some(row.len()) == count.value(scalars) && numbers(),
            Self::Characters(count) => {
                row.len() == 1 && Some(row[0].text.len()) == count.value(scalars)
            }
            Self::Operations => {
                !row.is_empty() && row[1..].iter().all(|word| word.number.is_some())
            }
        }
    }
}

/// Maximum number of kinds of operations in a task, and largest number that is a code.
const MAX_OPERATIONS: usize = 6;

/// Whether each line begins with a code that determines the number of fields after it. A code is a
/// word or a small number, and occurs at least twice on average. Lists that begin with their length
/// are not operations.
fn are_operations(rows: &[Vec<Word>]) -> bool {
    let mut arities: Vec<(&str, usize)> = Vec::new();
    for row in rows {
        let Some((code, rest)) = row.split_first() else { return false };
        match arities.iter().find(|(known, _)| *known == code.text) {
            Some((_, arity)) if *arity != rest.len() => return false,
            Some(_) => {}
            None => arities.push((&code.text, rest.len())),
        }
    }
    let numbers: Vec<usize> = rows
        .iter()
        .filter_map(|row| row[0].number.and_then(|number| usize::try_from(number).ok()))
        .collect();
    let words = rows.iter().all(|row| row[0].number.is_none());
    let small = numbers.len() == rows.len() && numbers.iter().all(|code| *code <= MAX_OPERATIONS);
    let lengths = numbers.iter().zip(rows).all(|(code, row)| code + 1 == row.len());
    let differ = arities.windows(2).any(|pair| pair[0].1 != pair[1].1);
    arities.len() <= MAX_OPERATIONS
        && rows.len() >= 2 * arities.len()
        && (words || (small && differ && !lengths))
}
