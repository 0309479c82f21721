//! A run to write as a document.

use crate::ending::Ending;
use profiler_decode::SOURCE_FILE;

/// Ending of a run, and what the caller knows about the run.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// Ending of the run.
    pub ending: &'a Ending,
    /// The path of the program.
    pub source: &'a str,
    /// Results of the caller's checks of the report.
    pub checks: &'a [Check],
    /// Lines of the caller that a text has after its first sentences, such as the next command.
    pub note: Option<&'a str>,
}

impl<'a> From<&'a Ending> for Run<'a> {
    /// Makes a run without checks and note. The path of the program is not known, so it is the name under
    /// which the compiler got the source.
    fn from(ending: &'a Ending) -> Self {
        Self { ending, source: SOURCE_FILE, checks: &[], note: None }
    }
}

/// Result of a check of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Name of the check.
    pub name: String,
    /// Finding of the check, in one sentence.
    pub sentence: String,
    /// Whether the report does not pass.
    pub is_failure: bool,
}
