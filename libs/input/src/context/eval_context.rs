//! Evaluates the fields of one variable at one n, and records the problems that occur there.

use crate::draw::random::RandomStream;
use crate::draw::span::Span;
use crate::expression::{Bindings, Code, Fault, OVERFLOW};
use crate::limits::MAX_COUNT;
use crate::problem::{self, Cause, Problem, join};
use crate::spec::Range;
use std::fmt;

/// Place of an expression's evaluation: its n, and its case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Location {
    pub(crate) n: u64,
    /// The number of a case, counted from 1, and the case's size.
    pub(crate) case: Option<(u64, i64)>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.case {
            None => write!(f, "at n={}", self.n),
            Some((case, size)) => write!(f, "in case {case}, of size {size}, at n={}", self.n),
        }
    }
}

/// One variable, or part of a layout, at one n.
pub(crate) struct EvalContext<'a> {
    pub(crate) path: &'a str,
    pub(crate) location: Location,
    pub(crate) values: Bindings<'a>,
    pub(crate) stream: RandomStream,
    pub(crate) problems: &'a mut Vec<Problem>,
}

impl EvalContext<'_> {
    /// Records a problem. The field has no value then.
    pub(crate) fn refuse<T>(
        &mut self,
        field: impl fmt::Display,
        problem: impl fmt::Display,
    ) -> Option<T> {
        self.note(field, Cause::Size, problem)
    }

    /// Records that n is too large: for a limit, or for 64 bits.
    pub(crate) fn too_large<T>(
        &mut self,
        field: impl fmt::Display,
        problem: impl fmt::Display,
    ) -> Option<T> {
        self.note(field, Cause::TooLarge, problem)
    }

    /// Builds the path only here. Nearly all cases are valid and need no path.
    fn note<T>(
        &mut self,
        field: impl fmt::Display,
        cause: Cause,
        problem: impl fmt::Display,
    ) -> Option<T> {
        let (field, problem) = (field.to_string(), format!("{problem} {}", self.location));
        let path = join(self.path, field.trim_start_matches('.'));
        problem::add(self.problems, Problem::new(path, cause, problem));
        None
    }

    pub(crate) fn value(&mut self, field: impl fmt::Display, code: &Code) -> Option<i64> {
        match code.value(self.values) {
            Ok(value) => Some(value),
            Err(Fault::Invalid(problem)) => self.refuse(field, problem),
            Err(Fault::Overflow) => self.too_large(field, OVERFLOW),
            Err(Fault::Unavailable) => None,
        }
    }

    /// A count: not negative, and at most [`MAX_COUNT`].
    pub(crate) fn count(&mut self, field: impl fmt::Display + Copy, code: &Code) -> Option<u64> {
        let value = self.value(field, code)?;
        match u64::try_from(value) {
            Err(_) => self.refuse(field, format_args!("{value} is negative")),
            Ok(count) if count > MAX_COUNT => {
                self.too_large(field, format_args!("{count} is over the limit of {MAX_COUNT}"))
            }
            Ok(count) => Some(count),
        }
    }

    /// The numbers between two expressions. An empty span is a problem if a number is `needed`.
    pub(crate) fn span(
        &mut self,
        field: impl fmt::Display + Copy,
        min: &Code,
        max: &Code,
        needed: bool,
    ) -> Option<Span> {
        let from = self.value(format_args!("{field}.min"), min);
        let to = self.value(format_args!("{field}.max"), max);
        let (from, to) = (from?, to?);
        match Span::new(from, to) {
            Some(span) => Some(span),
            None if needed => self
                .refuse(format_args!("{field}.min"), format_args!("min {from} is above max {to}")),
            None => Some(Span::one(from)),
        }
    }

    pub(crate) fn range(
        &mut self,
        field: impl fmt::Display + Copy,
        range: &Range<Code>,
        needed: bool,
    ) -> Option<Span> {
        self.span(field, &range.min, &range.max, needed)
    }
}
