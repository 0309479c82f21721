//! Why a run is not accepted, found or cancelled.

use crate::store::StoreFault;
use profiler_core::error::SandboxFault;

/// Why the live runs refuse what a call asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// No more runs may wait.
    #[error("the queue is full: {waiting} of at most {most} runs wait{}", reserved(*waiting < *most))]
    QueueFull {
        /// Runs that wait.
        waiting: usize,
        /// The most that may wait.
        most: usize,
    },
    /// The request ID belongs to another job.
    #[error("request_id {0:?} belongs to another job")]
    RequestIdTaken(String),
    /// No sandbox can be started now, so no run is accepted.
    #[error("no sandbox can be started: {0}")]
    NoSandbox(SandboxFault),
    /// The server is shutting down. The run was not accepted, or was interrupted.
    #[error("the server is shutting down")]
    ShuttingDown,
    /// The run is not live.
    #[error("no run {0:?} is under way")]
    NotLive(String),
    /// The store has no such run.
    #[error("no run {0:?} is retained")]
    UnknownRun(String),
    /// The store fails, so no run is accepted and the live ones end.
    #[error("runs cannot be stored now")]
    StoreFailed,
}

fn reserved(has_room: bool) -> &'static str {
    if has_room { ", and the rest is reserved for other callers or smaller jobs" } else { "" }
}

impl From<StoreFault> for Refusal {
    fn from(_: StoreFault) -> Self {
        Self::StoreFailed
    }
}
