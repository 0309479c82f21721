//! What a run says while it is under way.

use crate::compile::CompileStep;
use crate::error::SandboxError;
use crate::report::{ProfileReport, SizeResult};
use std::time::SystemTime;

/// Something that happened to a run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Event {
    /// The run.
    pub run_id: String,
    /// Rises by one from event to event, from 1.
    pub sequence: u64,
    /// When it happened.
    #[serde(skip)]
    pub time: SystemTime,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The run was accepted; so many runs are in front of it.
    Accepted {
        /// Runs in front of this one.
        queue_position: u32,
    },
    /// The program was compiled.
    Compiled(Box<CompileStep>),
    /// A size was measured.
    SizeMeasured(Box<SizeResult>),
    /// Nothing happened, and the run is alive.
    Heartbeat {
        /// Runs in front of this one; 0 once it runs.
        queue_position: u32,
    },
    /// The last event: the report.
    Finished(Box<ProfileReport>),
    /// The last event: what ended the run early.
    Failed(Box<SandboxError>),
}

impl EventKind {
    /// Whether no event follows.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Finished(_) | Self::Failed(_))
    }
}
