//! Evaluates the fields of one variable at one n, and records the problems that occur there.

use crate::draw::earlier::Earlier;
use crate::draw::random::RandomStream;
use crate::draw::span::Span;
use crate::expression::{Bindings, Expression, Fault};
use crate::limits::MAX_COUNT;
use crate::problem::{self, Cause, Problem};
use std::fmt;

/// Function that computes values at one n. It returns `None` if there is a problem at this n.
pub(crate) type Evaluate<T> = Box<dyn Fn(&mut EvalContext<'_>) -> Option<T> + Send + Sync>;

/// The n, and the case if there is one, for which an expression is evaluated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Location {
    pub(crate) n: u64,
    /// The case's number, counted from 1, and its size; `None` outside of cases.
    pub(crate) case: Option<(u64, u64)>,
}

impl Location {
    /// The value of `n` in expressions: in a case, the case's size.
    pub(crate) fn size(self) -> i64 {
        i64::try_from(self.case.map_or(self.n, |(_, size)| size)).unwrap_or(i64::MAX)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.case {
            None => write!(f, "at n = {}", self.n),
            Some((case, size)) => write!(f, "in case {case}, of size {size}, at n = {}", self.n),
        }
    }
}

/// State for evaluating one variable, or one part of a layout, at one n.
pub(crate) struct EvalContext<'a> {
    pub(crate) location: Location,
    pub(crate) values: Bindings<'a>,
    pub(crate) stream: RandomStream,
    /// The variables that are declared earlier, if others can refer to their rows.
    pub(crate) earlier: &'a [Option<Earlier>],
    pub(crate) problems: &'a mut Vec<Problem>,
}

impl EvalContext<'_> {
    /// Records a problem of the field at `path`, and returns `None` as the field's value.
    pub(crate) fn refuse<T>(&mut self, path: &str, problem: impl fmt::Display) -> Option<T> {
        self.note(path, Cause::Size, problem)
    }

    /// Records that n is too large: a value exceeds a limit, or does not fit 64 bits.
    pub(crate) fn too_large<T>(&mut self, path: &str, problem: impl fmt::Display) -> Option<T> {
        self.note(path, Cause::TooLarge, problem)
    }

    fn note<T>(&mut self, path: &str, cause: Cause, problem: impl fmt::Display) -> Option<T> {
        let problem = format!("{problem} {}", self.location);
        problem::add(self.problems, Problem::new(path, cause, problem));
        None
    }

    pub(crate) fn value(&mut self, Expression { path, code }: &Expression) -> Option<i64> {
        match code.value(self.values) {
            Ok(value) => Some(value),
            Err(Fault::Invalid(problem)) => self.refuse(path, problem),
            Err(fault @ Fault::Overflow) => self.too_large(path, fault),
            Err(Fault::Unavailable) => None,
        }
    }

    /// Evaluates a count, which must be from 0 to [`MAX_COUNT`].
    pub(crate) fn count(&mut self, count: &Expression) -> Option<u64> {
        let value = self.value(count)?;
        match u64::try_from(value) {
            Err(_) => self.refuse(&count.path, format_args!("must be 0 or more, not {value}")),
            Ok(value) if value > MAX_COUNT => {
                let problem = format_args!("must be at most {MAX_COUNT}, not {value}");
                self.too_large(&count.path, problem)
            }
            Ok(value) => Some(value),
        }
    }

    /// Evaluates the ends of a range. An empty range is a problem only if a number is `needed`.
    pub(crate) fn span(&mut self, [min, max]: &[Expression; 2], needed: bool) -> Option<Span> {
        let (from, to) = (self.value(min), self.value(max));
        let (from, to) = (from?, to?);
        match Span::new(from, to) {
            Some(span) => Some(span),
            None if needed => {
                self.refuse(&min.path, format_args!("must be at most max ({to}), not {from}"))
            }
            None => Some(Span::one(from)),
        }
    }
}
