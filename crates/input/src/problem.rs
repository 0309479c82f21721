//! What is wrong with a spec, and where.

use std::fmt;

/// Why a spec has no input at some n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The spec is wrong at every n.
    Spec,
    /// It is wrong at this n.
    Size,
    /// It is right, but the input of this n would be too large, and that of a larger n is likely to
    /// be as well: a schedule that grows n may end here.
    TooLarge,
}

/// Something that is wrong with a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where in the spec: `vars[2].array.len`.
    pub path: String,
    /// What is wrong: `divides by zero at n=0`.
    pub problem: String,
    /// Whether it is about one n.
    pub cause: Cause,
}

impl Problem {
    pub(crate) fn new(path: impl Into<String>, cause: Cause, problem: impl Into<String>) -> Self {
        Self { path: path.into(), problem: problem.into(), cause }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.problem)
    }
}

/// A path and what is below it: a field or an index. Either may be empty.
pub(crate) fn join(path: &str, field: &str) -> String {
    let attached = path.is_empty() || field.is_empty() || field.starts_with('[');
    let dot = if attached { "" } else { "." };
    format!("{path}{dot}{field}")
}
