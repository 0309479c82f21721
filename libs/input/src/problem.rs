//! Problems of a spec, with their paths.

use crate::limits::MAX_PROBLEMS;
use std::fmt;

/// Text of the extra entry that follows [`MAX_PROBLEMS`] problems.
const MORE: &str = "has more problems, which are not listed";

/// Reason why a spec has no input at some n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The spec is wrong at every n.
    Spec,
    /// The spec is wrong at this n.
    Size,
    /// The spec is valid, but this n is too large for it: a limit is exceeded, or a value does not
    /// fit into 64 bits. Larger n are likely to be too large as well, so an automatic schedule can
    /// stop here.
    TooLarge,
}

/// A problem of a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Path in the spec: `vars[2].array.len`. Empty for the whole spec.
    pub path: String,
    /// Description of the problem: `divides by zero at n = 0`.
    pub problem: String,
    /// Whether the problem occurs at every n, occurs at this n, or comes from an n that is too
    /// large.
    pub cause: Cause,
}

impl Problem {
    pub(crate) fn new(path: impl Into<String>, cause: Cause, problem: impl Into<String>) -> Self {
        Self { path: path.into(), problem: problem.into(), cause }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.problem),
            path => write!(f, "{path}: {}", self.problem),
        }
    }
}

/// Adds a problem to a list that holds at most [`MAX_PROBLEMS`]. In place of the first problem
/// beyond them, an entry with [`MORE`] is added; later problems are dropped.
pub(crate) fn add(problems: &mut Vec<Problem>, problem: Problem) {
    match problems.len() {
        0..MAX_PROBLEMS => problems.push(problem),
        MAX_PROBLEMS => problems.push(Problem::new("", problem.cause, MORE)),
        _ => {}
    }
}

/// Joins a path and a field or an index below it. Either may be empty.
pub(crate) fn join(path: &str, field: &str) -> String {
    let attached = path.is_empty() || field.is_empty() || field.starts_with('[');
    let dot = if attached { "" } else { "." };
    format!("{path}{dot}{field}")
}
