//! What the tasks of a gateway tell its owner.

use crate::runs::{Attachment, Refusal};
use crate::telemetry::run_record::Requester;
use profiler_core::error::ErrorCode;
use profiler_fleet::{Followed, Submitted};
use tokio::sync::oneshot;

/// What the owner's tasks tell it.
pub(super) enum Input {
    /// These events are in the store now.
    Kept(Vec<Followed>),
    /// What became of a submission, and who waits for it.
    Answered(Result<Submitted, Refusal>, Box<Requester>, Answer),
    /// The last call of this gateway that held the run has gone, and it ends so.
    Released(String, ErrorCode),
}

/// Who waits for a submission.
pub(super) type Answer = oneshot::Sender<Result<Attachment, Refusal>>;
