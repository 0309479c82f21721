//! One live run: its state, a call's attachment to it, and its task.

use super::disconnect_policy::{Hold, Holders};
use super::event_recorder::{Progress, record_events};
use super::refusal::Refusal;
use crate::store::{Store, Viewer};
use crate::telemetry::run_record::RunRecord;
use futures::FutureExt;
use futures::future::{self, Either};
use profiler_core::cancel::{CancelToken, Canceller};
use profiler_core::job::Job;
use profiler_core::report::Events;
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::v1::{self, ErrorCode, event::Kind};
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep};

/// Record that the owner keeps of a live run.
#[derive(Clone)]
pub(super) struct LiveRun {
    pub(super) run_id: String,
    pub(super) owner: String,
    pub(super) canceller: Canceller,
    pub(super) holders: Holders,
    pub(super) on_disconnect: v1::OnDisconnect,
    /// Time limit of the run, counted from its turn.
    pub(super) time_limit: Option<Duration>,
    pub(super) progress: watch::Receiver<Progress>,
    pub(super) queue_position: watch::Receiver<u32>,
    pub(super) may_build: watch::Receiver<bool>,
    /// Time at which the run had built, or waited for its turn to build.
    pub(super) built: Arc<OnceLock<Instant>>,
    /// Channel on which the run tells that it has been measured.
    pub(super) measured: mpsc::Sender<String>,
    /// Means by which the caller is identified.
    pub(super) class: &'static str,
    pub(super) accepted: Instant,
    /// Whether the next server measures the run if this one ends before its turn.
    pub(super) is_kept: bool,
    /// The number of the last event of an earlier server, which accepted the run; `None` if this
    /// server did.
    pub(super) resumed_after: Option<u64>,
    /// Whether the server leaves the run to the next one.
    pub(super) left: watch::Sender<bool>,
}

/// A call's view of a run.
#[derive(Debug)]
pub(crate) struct Attachment {
    pub(crate) run_id: String,
    pub(crate) progress: watch::Receiver<Progress>,
    /// Number of runs ahead of this one; 0 from its turn on.
    pub(crate) queue_position: watch::Receiver<u32>,
    /// `None` if the run does not depend on this call.
    pub(crate) hold: Option<Hold>,
    /// Whether the run ends with this server. An interruption then means that the server is
    /// shutting down.
    pub(crate) ends_with_server: bool,
}

impl Attachment {
    /// Attaches a call to a run that has ended, if the viewer sees it in the store.
    pub(crate) async fn stored(
        store: &Store,
        run_id: &str,
        viewer: &Viewer,
    ) -> Result<Self, Refusal> {
        let unknown = || Refusal::UnknownRun(run_id.to_owned());
        let run = store.run(run_id, viewer).await?.ok_or_else(unknown)?;
        Ok(Self {
            run_id: run.run_id,
            progress: watch::channel(Progress::Ended(run.last_sequence)).1,
            queue_position: watch::channel(0).1,
            hold: None,
            ends_with_server: false,
        })
    }
}

impl LiveRun {
    pub(super) fn attachment(&self, hold: Option<Hold>) -> Attachment {
        Attachment {
            run_id: self.run_id.clone(),
            progress: self.progress.clone(),
            queue_position: self.queue_position.clone(),
            hold,
            ends_with_server: true,
        }
    }

    /// Leaves the run to the next server, if its turn has not come and it has built nothing.
    /// Returns whether it does.
    pub(super) fn leave(&self) -> bool {
        let only_waits = matches!(*self.progress.borrow(), Progress::Stored(0 | 1));
        let leaves = self.is_kept && only_waits && *self.queue_position.borrow() > 0;
        if leaves {
            self.left.send_replace(true);
        }
        leaves
    }

    /// Runs the job. Returns once the last event is stored, or the run is left to the next server.
    pub(super) async fn run_to_end(
        self,
        job: Job,
        profiler: Profiler,
        store: Store,
        mut token: CancelToken,
        report: watch::Sender<Progress>,
        mut record: RunRecord,
    ) {
        let Self {
            run_id,
            canceller,
            holders,
            on_disconnect,
            time_limit,
            mut queue_position,
            mut may_build,
            built,
            resumed_after,
            left,
            measured,
            ..
        } = self;
        record.unless_left(left.subscribe());
        let (limited, mut turn) = (canceller.clone(), queue_position.clone());
        let turn = async move { turn.wait_for(|&position| position == 0).await.is_ok() };
        let timed_out = end_after(time_limit, turn, &limited);
        let (events, emitted) = Events::new(&run_id);
        let stored = resumed_after.unwrap_or(0);
        let (mut events, told) = (events.after(stored), report.clone());
        let recorded = record_events(emitted, store.clone(), canceller.clone(), report);
        let conducted = async move {
            if stored == 0 {
                let accepted = v1::Accepted { queue_position: *queue_position.borrow() };
                events.emit(Kind::Accepted(accepted)).await;
            }
            // Here and below, an error means that the owner is gone, and its end aborts this task.
            let begun = async {
                let _ = queue_position.wait_for(|&position| position == 0).await;
                record.begin();
                // The stored state informs callers. The run does not depend on it.
                let _ = store.start_run(&run_id).await;
            };
            let begun = begun.boxed().shared();
            let turn_has_come = begun.clone();
            let to_build = async move { drop(may_build.wait_for(|&may| may).await) };
            let to_measure = async move {
                let _ = built.set(Instant::now());
                turn_has_come.await;
            };
            let turn = Turn {
                to_build: to_build.boxed(),
                to_measure: to_measure.boxed(),
                measured: Box::new(|| drop(measured.try_send(run_id.clone()))),
            };
            let run = Box::pin(run_job(&job, &profiler, &mut events, &mut token, turn));
            // The turn may come while the program is compiled. The result is also in the last
            // event.
            let ended = match future::select(run, begun).await {
                Either::Left((ended, _)) => ended,
                Either::Right(((), run)) => run.await,
            };
            record.end(&ended);
            #[cfg(feature = "otlp")]
            record.take_steps(&events);
            // Returned, so that it is dropped, and so written, only after the last event is
            // stored.
            record
        };
        let mut leave = left.subscribe();
        tokio::select! {
            // First, because the end of another run may give this one its turn meanwhile.
            biased;
            _ = leave.wait_for(|left| *left) => {
                told.send_replace(Progress::Left);
            }
            (_record, ()) = future::join(conducted, recorded) => {}
            never = timed_out => match never {},
            never = holders.enforce(on_disconnect, canceller) => match never {},
        }
    }
}

/// Cancels a run when `limit` has passed since `turn` completed.
pub(crate) async fn end_after(
    limit: Option<Duration>,
    turn: impl Future,
    canceller: &Canceller,
) -> Infallible {
    if let Some(limit) = limit {
        turn.await;
        sleep(limit).await;
        let sec = limit.as_secs_f64();
        let why = format!("quota run_sec: a run may take at most {sec} s from its turn on");
        canceller.cancel_because(ErrorCode::Deadline, why);
    }
    std::future::pending().await
}
