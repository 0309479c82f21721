//! Messages from the tasks of a gateway to its owner.

use crate::runs::{Attachment, Refusal};
use crate::telemetry::run_record::Requester;
use profiler_fleet::{Followed, Submitted};
use profiler_proto::v1::ErrorCode;
use tokio::sync::oneshot;

/// Message to the owner from its tasks.
pub(super) enum Message {
    /// These events are in the store now.
    Kept(Vec<Followed>),
    /// Outcome of a submission, its requester, its size in bytes, and the caller that waits for it.
    Answered(Result<Submitted, Refusal>, Box<Requester>, usize, Answer),
    /// An attempt to move this run to another pool has ended.
    MoveTried(String),
    /// The engine has lost the logs of its runs.
    EngineLost,
    /// The engine has streams, and these runs of lost streams were interrupted.
    EngineFound(Vec<String>),
    /// The last call of this gateway that held the run has gone, and the run is to end with this
    /// code.
    Released(String, ErrorCode),
}

/// Channel to the caller that waits for a submission.
pub(super) type Answer = oneshot::Sender<Result<Attachment, Refusal>>;
