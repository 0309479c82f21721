//! Reasons for not accepting, finding or cancelling a run.

use crate::store::StoreFault;
use profiler_core::error::SandboxFault;
#[cfg(feature = "fleet")]
use profiler_fleet::FleetError;
use std::time::Duration;

/// Reason why a request about runs is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("the queue is full: {waiting} of at most {most} runs wait{}", reserved(*waiting < *most))]
    QueueFull { waiting: usize, most: usize },
    /// The queue of the fleet is full, for this caller or for all callers.
    #[cfg(feature = "fleet")]
    #[error("the queue of the fleet is full")]
    FleetFull,
    #[error("{0}")]
    Quota(Taken),
    #[error("request_id {0:?} belongs to another job")]
    RequestIdTaken(String),
    /// No sandbox can be started now, so no run is accepted.
    #[error("no sandbox can be started: {0}")]
    NoSandbox(SandboxFault),
    /// The server is shutting down. The run was not accepted, or was interrupted.
    #[error("the server is shutting down")]
    ShuttingDown,
    #[error("there is no live run {0:?}")]
    NotLive(String),
    #[error("there is no retained run {0:?}")]
    UnknownRun(String),
    /// The store fails, so no run is accepted and the live ones end.
    #[error("runs cannot be stored now")]
    StoreFailed,
}

impl Refusal {
    /// Reasons for which a submission is refused.
    pub(crate) const REASONS: [&str; 7] = [
        "QUEUE_FULL",
        "QUOTA",
        "REQUEST_ID_TAKEN",
        "NO_SANDBOX",
        "SHUTTING_DOWN",
        "STORE_FAILED",
        "UNKNOWN_RUN",
    ];

    /// Returns the reason in the status of the refused call.
    pub(crate) fn reason(&self) -> &'static str {
        let [full, quota, taken, sandbox, ending, store, unknown] = Self::REASONS;
        match self {
            Self::QueueFull { .. } => full,
            #[cfg(feature = "fleet")]
            Self::FleetFull => full,
            Self::Quota(_) => quota,
            Self::RequestIdTaken(_) => taken,
            Self::NoSandbox(_) => sandbox,
            Self::ShuttingDown => ending,
            Self::StoreFailed => store,
            Self::UnknownRun(_) => unknown,
            Self::NotLive(_) => "NOT_UNDER_WAY",
        }
    }
}

/// Returns the fault of a fleet that can measure nothing for this cause.
#[cfg(feature = "fleet")]
pub(crate) fn fleet_fault(cause: &str) -> SandboxFault {
    SandboxFault::Failed { stage: "measure in the fleet", cause: cause.to_owned() }
}

#[cfg(feature = "fleet")]
impl Refusal {
    /// Makes the refusal of a run that no worker of a fleet can measure.
    pub(crate) fn no_worker(why: &str) -> Self {
        Self::NoSandbox(fleet_fault(why))
    }
}

#[cfg(feature = "fleet")]
impl From<FleetError> for Refusal {
    fn from(error: FleetError) -> Self {
        Self::no_worker(&error.to_string())
    }
}

/// A quota that a caller has used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Taken {
    #[error("quota live_runs: a caller may have at most {0} live runs")]
    LiveRuns(usize),
    #[error("quota queued_runs: a caller may have at most {0} waiting runs")]
    QueuedRuns(usize),
    #[error("quota hour_sec: the runs of a caller may take at most {} s per hour", most.as_secs_f64())]
    Hour {
        most: Duration,
        /// Delay before the caller may submit again.
        after: Duration,
    },
    #[error("quota kept_mb: a caller may keep at most {0} MiB of runs: delete some")]
    Kept(u64),
}

fn reserved(has_room: bool) -> &'static str {
    if has_room { ", and the rest is reserved for other callers or smaller jobs" } else { "" }
}

impl From<StoreFault> for Refusal {
    fn from(_: StoreFault) -> Self {
        Self::StoreFailed
    }
}
