//! The handle on the live runs. It sends commands to the owner and awaits the answers.

use super::fair_queue::FairQueue;
use super::live_run::Attachment;
use super::owner::{self, Command};
use super::queue_state::QueueState;
use super::refusal::Refusal;
use super::submission::Submission;
use crate::config::{Config, Quota};
use crate::store::{Store, Viewer};
use crate::telemetry::metrics::Metrics;
use profiler_core::Profiler;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

/// Maximum number of commands that wait for the owner.
const MAX_COMMANDS: usize = 64;
/// Time limit for interrupted runs to end.
const INTERRUPT_LIMIT: Duration = Duration::from_secs(1);

/// A handle on the owner of the live runs. The owner and the runs end with the last handle.
#[derive(Debug, Clone)]
pub(crate) struct LiveRuns {
    commands: mpsc::Sender<Command>,
    state: watch::Receiver<QueueState>,
}

impl LiveRuns {
    /// Starts the owner. `quota` applies to each caller.
    pub(crate) fn start(
        profiler: Profiler,
        store: Store,
        metrics: Metrics,
        concurrency: usize,
        max_queued: usize,
        quota: Quota,
    ) -> Self {
        let (sender, commands) = mpsc::channel(MAX_COMMANDS);
        let queue = FairQueue::new(concurrency, max_queued, quota.clone());
        let (report, state) = watch::channel(QueueState::default());
        tokio::spawn(owner::own(profiler, store, metrics, quota, queue, report, commands));
        Self { commands: sender, state }
    }

    /// Creates a handle on another owner, which answers the received commands and publishes
    /// `state`.
    #[cfg(feature = "fleet")]
    pub(crate) fn over(state: watch::Receiver<QueueState>) -> (Self, mpsc::Receiver<Command>) {
        let (commands, received) = mpsc::channel(MAX_COMMANDS);
        (Self { commands, state }, received)
    }

    /// Returns a watch on the running and the waiting runs. A reader does not keep the owner alive.
    pub(crate) fn state(&self) -> watch::Receiver<QueueState> {
        self.state.clone()
    }

    /// Accepts a job. For a repeated request ID, returns the first run that had it.
    pub(crate) async fn submit(&self, submission: Submission) -> Result<Attachment, Refusal> {
        self.ask(|answer| Command::Submit(Box::new(submission), answer)).await?
    }

    /// Attaches a call to a live or stored run that `viewer` sees.
    pub(crate) async fn attach(
        &self,
        run_id: String,
        viewer: Viewer,
    ) -> Result<Attachment, Refusal> {
        self.ask(|answer| Command::Attach(run_id, viewer, answer)).await?
    }

    /// Cancels a live run that `viewer` sees.
    pub(crate) async fn cancel(&self, run_id: String, viewer: Viewer) -> Result<(), Refusal> {
        self.ask(|answer| Command::Cancel(run_id, viewer, answer)).await?
    }

    /// Deletes an ended run that `viewer` sees, wherever it is kept.
    pub(crate) async fn delete(&self, run_id: String, viewer: Viewer) -> Result<(), Refusal> {
        self.ask(|answer| Command::Delete(run_id, viewer, answer)).await?
    }

    /// Accepts no more runs and waits for the live ones to end. Interrupts those that are still
    /// live after `limit`.
    pub(crate) async fn drain(&self, limit: Duration) {
        self.refuse_and_wait(limit).await;
        self.interrupt().await;
    }

    /// Accepts no more runs. Returns when the live ones have ended, or after `limit`.
    pub(crate) async fn refuse_and_wait(&self, limit: Duration) {
        let _ = timeout(limit, self.ask(Command::Drain)).await;
    }

    /// Accepts no more runs, interrupts the live ones, and waits until they have ended.
    pub(crate) async fn interrupt(&self) {
        let _ = self.commands.send(Command::Interrupt).await;
        let _ = timeout(INTERRUPT_LIMIT, self.ask(Command::Drain)).await;
    }

    /// Checks submissions against the quota of the current settings, whenever these change.
    pub(crate) async fn follow_quota(&self, mut settings: watch::Receiver<Config>) -> Infallible {
        let mut known = settings.borrow_and_update().quota.clone();
        while settings.changed().await.is_ok() {
            let quota = settings.borrow_and_update().quota.clone();
            if quota != known {
                known = quota.clone();
                let _ = self.commands.send(Command::SetQuota(quota)).await;
            }
        }
        std::future::pending().await
    }

    /// Returns the number of live runs; 0 when the owner has ended.
    pub(crate) async fn count(&self) -> usize {
        self.ask(Command::Count).await.unwrap_or(0)
    }

    /// Sends a command and awaits its answer. An owner that has ended refuses everything.
    async fn ask<T>(
        &self,
        command: impl FnOnce(oneshot::Sender<T>) -> Command,
    ) -> Result<T, Refusal> {
        let (answer, answered) = oneshot::channel();
        self.commands.send(command(answer)).await.map_err(|_| Refusal::ShuttingDown)?;
        answered.await.map_err(|_| Refusal::ShuttingDown)
    }
}
