//! A run to write.

use crate::ending::Ending;
use crate::report::SOURCE_FILE;

/// How a run ended, and what its caller knows of it.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// How the run ended.
    pub ending: &'a Ending,
    /// The path of the program.
    pub source: &'a str,
    /// What the caller found in the report.
    pub checks: &'a [Check],
}

impl<'a> From<&'a Ending> for Run<'a> {
    /// Of a run without more knowledge, the program has the name that the compiler was given.
    fn from(ending: &'a Ending) -> Self {
        Self { ending, source: SOURCE_FILE, checks: &[] }
    }
}

/// What a check of a report found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The check.
    pub name: String,
    /// What it found, in one sentence.
    pub sentence: String,
    /// Whether the report does not pass.
    pub is_failure: bool,
}
