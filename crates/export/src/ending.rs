//! Ending of a run, and what a caller knows about the run.

use profiler_decode::SOURCE_FILE;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{ProfileReport, SandboxError};

/// Ending of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// The run finished.
    Report(Box<ProfileReport>),
    /// The run ended early.
    Error(Box<SandboxError>),
}

impl Ending {
    /// The ending in an event, if it is the last event of a run.
    pub fn from_event(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Finished(report) => Some(Self::Report(Box::new(report))),
            Kind::Failed(error) => Some(Self::Error(Box::new(error))),
            Kind::Accepted(_)
            | Kind::Started(_)
            | Kind::Restarted(_)
            | Kind::CoreAwaited(_)
            | Kind::Compiled(_)
            | Kind::SizeMeasured(_)
            | Kind::Heartbeat(_) => None,
        }
    }

    /// The measurements; for a run that ended early, the partial ones.
    pub fn report(&self) -> Option<&ProfileReport> {
        match self {
            Self::Report(report) => Some(report),
            Self::Error(error) => error.partial.as_ref(),
        }
    }

    /// Mutable access to the measurements of [`Self::report`].
    pub fn report_mut(&mut self) -> Option<&mut ProfileReport> {
        match self {
            Self::Report(report) => Some(report),
            Self::Error(error) => error.partial.as_mut(),
        }
    }
}

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
    /// Makes a run without checks and note. The path of the program is not known, so it is the name
    /// under which the compiler got the source.
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
