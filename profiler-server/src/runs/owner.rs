//! The task that owns the live runs.

use super::disconnect_policy::Holders;
use super::event_recorder::Progress;
use super::fair_queue::{FairQueue, Reservation};
use super::live_run::{Attachment, LiveRun};
use super::queue_state::QueueState;
use super::refusal::Refusal;
use super::run_id::RunIds;
use super::submission::Submission;
use crate::config::Quota;
use crate::store::{Store, Viewer};
use crate::telemetry::metrics::Metrics;
use crate::telemetry::run_record::{Requester, RunRecord};
use profiler_core::Profiler;
use profiler_core::cancel;
use profiler_core::job::Job;
use profiler_proto::v1::{ErrorCode, OnDisconnect};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{self, JoinError, JoinSet};
use tokio::time::Instant;

mod resume;

/// Maximum number of unread messages that a run has been measured. A run that finds no room keeps
/// its turn until it ends.
const MAX_MEASURED: usize = 64;

/// Request to the owner, and the channel for its answer.
#[derive(Debug)]
pub(crate) enum Command {
    Submit(Box<Submission>, oneshot::Sender<Result<Attachment, Refusal>>),
    Attach(String, Viewer, oneshot::Sender<Result<Attachment, Refusal>>),
    Cancel(String, Viewer, oneshot::Sender<Result<(), Refusal>>),
    /// Delete an ended run, if the viewer sees it.
    Delete(String, Viewer, oneshot::Sender<Result<(), Refusal>>),
    /// Accept no more runs; answer once no run is live.
    Drain(oneshot::Sender<()>),
    /// Interrupt every live run that is not left to the next server.
    Interrupt,
    /// Check submissions against this quota from now on.
    SetQuota(Quota),
    /// Answer how many runs are live.
    Count(oneshot::Sender<usize>),
}

/// Owns the live runs until the last sender of `commands` is gone, or until they are drained.
pub(super) async fn own(
    profiler: Profiler,
    store: Store,
    metrics: Metrics,
    quota: Quota,
    queue: FairQueue<(task::Id, LiveRun)>,
    report: watch::Sender<QueueState>,
    mut commands: mpsc::Receiver<Command>,
) {
    let run_ids = RunIds::after_those_of(&store).await;
    let (tasks, drains) = (JoinSet::new(), Vec::new());
    let (measured, mut all_measured) = mpsc::channel(MAX_MEASURED);
    let mut owner =
        Owner { profiler, store, metrics, quota, run_ids, queue, report, measured, tasks, drains };
    owner.resume().await;
    loop {
        if owner.queue.is_empty() && !owner.drains.is_empty() {
            for drained in owner.drains.drain(..) {
                // A caller that stopped waiting needs no answer. The same holds below.
                let _ = drained.send(());
            }
            commands.close();
        }
        tokio::select! {
            command = commands.recv() => match command {
                Some(command) => owner.answer(command).await,
                None => return,
            },
            Some(run_id) = all_measured.recv() => {
                owner.queue.pass_on(|(_, live)| live.run_id == run_id);
                owner.publish();
            }
            Some(ended) = owner.tasks.join_next_with_id() => owner.remove(ended).await,
        }
    }
}

/// A stored run, before its task starts.
struct Admitted {
    run_id: String,
    job: Job,
    on_disconnect: OnDisconnect,
    requester: Requester,
    is_kept: bool,
    resumed_after: Option<u64>,
}

struct Owner {
    profiler: Profiler,
    store: Store,
    metrics: Metrics,
    quota: Quota,
    run_ids: RunIds,
    queue: FairQueue<(task::Id, LiveRun)>,
    /// Channel on which every change of the queue is published.
    report: watch::Sender<QueueState>,
    /// Channel on which brief runs tell that they have been measured.
    measured: mpsc::Sender<String>,
    /// One task per live run. The run stays in the queue as long as its task lives.
    tasks: JoinSet<()>,
    /// Drain commands to answer once the last run has ended. While there is one, no run is
    /// accepted.
    drains: Vec<oneshot::Sender<()>>,
}

impl Owner {
    async fn answer(&mut self, command: Command) {
        match command {
            Command::Submit(submission, answer) => {
                drop(answer.send(self.submit(*submission).await));
            }
            Command::Attach(run_id, viewer, answer) => {
                drop(answer.send(self.attach(&run_id, &viewer).await));
            }
            Command::Cancel(run_id, viewer, answer) => {
                drop(answer.send(self.cancel(run_id, &viewer)));
            }
            Command::Delete(run_id, viewer, answer) => {
                let store = self.store.clone();
                tokio::spawn(async move {
                    let deleted = store.delete(&run_id, &viewer).await;
                    drop(answer.send(deleted.map(drop).map_err(Into::into)));
                });
            }
            Command::Drain(drained) => self.drains.push(drained),
            Command::Count(answer) => drop(answer.send(self.queue.iter().count())),
            Command::SetQuota(quota) => {
                self.queue.set_quota(quota.clone());
                self.quota = quota;
            }
            Command::Interrupt => {
                for (_, live) in self.queue.iter() {
                    if !live.leave() {
                        live.canceller.cancel(ErrorCode::Interrupted);
                    }
                }
            }
        }
    }

    /// Removes the run whose task has ended.
    async fn remove(&mut self, ended: Result<(task::Id, ()), JoinError>) {
        let (id, panicked) = match ended {
            Ok((id, ())) => (id, false),
            Err(error) => (error.id(), true),
        };
        let removed = self.queue.remove(|(task, _)| *task == id);
        self.publish();
        if let Some((_, run)) = removed.filter(|_| panicked) {
            // If the store fails now, the next server ends the run.
            let _ = self.store.interrupt(&run.run_id).await;
        }
    }

    /// Publishes the running and the waiting runs.
    fn publish(&self) {
        let mut state = QueueState::default();
        for (_, live) in self.queue.iter() {
            match *live.queue_position.borrow() {
                0 => state.running += 1,
                _ => state.waiting.push((live.class, live.accepted)),
            }
        }
        self.report.send_replace(state);
    }

    async fn submit(&mut self, submission: Submission) -> Result<Attachment, Refusal> {
        // Checked before health and room, because a stored run needs neither.
        if let Some(run_id) = submission.known_run(&self.store).await? {
            let viewer = Viewer::Owner(submission.requester.owner);
            return match self.find(&run_id, &viewer) {
                Some(live) => Ok(live.attachment(Some(live.holders.hold_as_submitter()))),
                None => self.stored(&run_id, &viewer).await,
            };
        }
        if !self.drains.is_empty() {
            return Err(Refusal::ShuttingDown);
        }
        let sandboxes = self.profiler.pool.health().borrow().clone();
        sandboxes.map_err(Refusal::NoSandbox)?;
        self.store.health().borrow().clone()?;
        self.accept(submission).await
    }

    /// Stores a new run, starts its task and puts it into the queue.
    async fn accept(&mut self, submission: Submission) -> Result<Attachment, Refusal> {
        submission.check_kept(&self.store, &self.quota).await?;
        let caller = &submission.requester.caller;
        let is_brief = submission.job.is_brief();
        let reservation = self.queue.reserve(caller, submission.job.bytes(), is_brief)?;
        let row = submission.to_row(&self.run_ids.next());
        let waits = self.store.is_on_disk() && *reservation.queue_position().borrow() > 0;
        let waiting = if waits { submission.to_waiting() } else { None };
        let Submission { job, digest, on_disconnect, requester, .. } = submission;
        let (run_id, is_kept) = (row.run_id.clone(), waiting.is_some());
        self.store.accept(row, requester.owner.clone(), digest, waiting).await?;
        let admitted =
            Admitted { run_id, job, on_disconnect, requester, is_kept, resumed_after: None };
        Ok(self.start(admitted, reservation))
    }

    /// Starts the task of a stored run, and puts the run into the queue.
    fn start(&mut self, admitted: Admitted, reservation: Reservation) -> Attachment {
        let Admitted { run_id, job, on_disconnect, requester, is_kept, resumed_after } = admitted;
        let (canceller, token) = cancel::cancel_signal();
        let (report, progress) = watch::channel(Progress::Stored(resumed_after.unwrap_or(0)));
        // Each owner has a separate cache of binaries. With a shared one, the time of a compilation
        // would reveal what others have compiled.
        let profiler = self.profiler.for_owner(&requester.owner);
        let live = LiveRun {
            run_id,
            owner: requester.owner.clone(),
            canceller,
            holders: Holders::none(),
            on_disconnect,
            time_limit: self.quota.run(),
            progress,
            queue_position: reservation.queue_position(),
            may_build: reservation.may_build(),
            built: reservation.built(),
            measured: self.measured.clone(),
            class: requester.class,
            accepted: Instant::now(),
            is_kept,
            resumed_after,
            left: watch::Sender::new(false),
        };
        let record = RunRecord::new(self.metrics.clone(), &live.run_id, &job.task_id, requester);
        let attachment = live.attachment(Some(live.holders.hold_as_submitter()));
        let store = self.store.clone();
        let task = live.clone().run_to_end(job, profiler, store, token, report, record);
        let id = self.tasks.spawn(task).id();
        self.queue.enter((id, live), reservation);
        self.publish();
        attachment
    }

    async fn attach(&self, run_id: &str, viewer: &Viewer) -> Result<Attachment, Refusal> {
        let Some(live) = self.find(run_id, viewer) else {
            return self.stored(run_id, viewer).await;
        };
        // The connection of its submitter ended with the earlier server.
        let holds = live.on_disconnect == OnDisconnect::Grace || live.resumed_after.is_some();
        Ok(live.attachment(holds.then(|| live.holders.hold_as_watcher())))
    }

    /// Attaches a call to a run that is not live here: it has ended, or waits for the next server.
    async fn stored(&self, run_id: &str, viewer: &Viewer) -> Result<Attachment, Refusal> {
        match self.store.run(run_id, viewer).await? {
            Some(run) if run.ended_time.is_none() => Err(Refusal::ShuttingDown),
            _ => Attachment::stored(&self.store, run_id, viewer).await,
        }
    }

    /// Returns a live run, if `viewer` sees it.
    fn find(&self, run_id: &str, viewer: &Viewer) -> Option<&LiveRun> {
        let mut runs = self.queue.iter().map(|(_, live)| live);
        runs.find(|live| live.run_id == run_id && viewer.sees(&live.owner))
    }

    fn cancel(&self, run_id: String, viewer: &Viewer) -> Result<(), Refusal> {
        let live = self.find(&run_id, viewer).ok_or(Refusal::NotLive(run_id))?;
        live.canceller.cancel(ErrorCode::Cancelled);
        Ok(())
    }
}
