//! How a run ended.

use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{ProfileReport, SandboxError};

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// It came to its end.
    Report(Box<ProfileReport>),
    /// It ended early.
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
            | Kind::Compiled(_)
            | Kind::SizeMeasured(_)
            | Kind::Heartbeat(_) => None,
        }
    }

    /// What was measured; of a run that ended early, until then.
    pub fn report(&self) -> Option<&ProfileReport> {
        match self {
            Self::Report(report) => Some(report),
            Self::Error(error) => error.partial.as_ref(),
        }
    }

    /// The same, for who adds to it.
    pub fn report_mut(&mut self) -> Option<&mut ProfileReport> {
        match self {
            Self::Report(report) => Some(report),
            Self::Error(error) => error.partial.as_mut(),
        }
    }
}
