//! Ending of a run.

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
