//! A live run of the fleet, as this gateway knows it.

use crate::runs::{Attachment, Hold, Holders, Progress};
use crate::telemetry::metrics::class_named;
use crate::telemetry::run_record::RunRecord;
use profiler_fleet::Origin;
use profiler_proto::v1::ErrorCode;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Record that the owner keeps of a live run.
pub(super) struct FollowedRun {
    pub(super) origin: Origin,
    pub(super) progress: watch::Sender<Progress>,
    pub(super) queue_position: watch::Sender<u32>,
    pub(super) holders: Holders,
    /// Last time at which a caller of any gateway was known to hold the run.
    pub(super) held: Instant,
    pub(super) accepted: Instant,
    /// Code with which a worker was asked to end the run. `asked_to_end` is the time of the last
    /// request.
    pub(super) cancelled: Option<ErrorCode>,
    pub(super) asked_to_end: Option<Instant>,
    /// The worker that measures it, as far as this gateway has heard.
    pub(super) worker: String,
    /// Time at which a worker first began it; `None` while it waits.
    pub(super) started: Option<Instant>,
    /// Task of the disconnect policy; `None` before the first call of this gateway holds the run.
    pub(super) enforced: Option<JoinSet<()>>,
    /// Code with which the run ends once no other gateway holds it. `None` while a call of this
    /// gateway holds it.
    pub(super) released: Option<ErrorCode>,
    /// Its line in the log of this gateway, if it was submitted here.
    pub(super) record: Option<RunRecord>,
}

impl FollowedRun {
    pub(super) fn new(origin: Origin) -> Self {
        let now = Instant::now();
        Self {
            origin,
            progress: watch::Sender::new(Progress::Stored(0)),
            queue_position: watch::Sender::new(0),
            holders: Holders::none(),
            held: now,
            accepted: now,
            cancelled: None,
            asked_to_end: None,
            worker: String::new(),
            started: None,
            enforced: None,
            released: None,
            record: None,
        }
    }

    /// Returns the means by which the caller is identified.
    pub(super) fn class(&self) -> &'static str {
        class_named(&self.origin.class)
    }

    pub(super) fn attachment(&self, hold: Option<Hold>) -> Attachment {
        Attachment {
            run_id: self.origin.run_id().to_owned(),
            progress: self.progress.subscribe(),
            queue_position: self.queue_position.subscribe(),
            hold,
            ends_with_server: false,
        }
    }
}
