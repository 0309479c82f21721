//! The handle on the live runs. It sends commands to the owner and awaits the answers.

use super::fair_queue::FairQueue;
use super::live_run::Attachment;
use super::owner::{self, Command};
use super::refusal::Refusal;
use super::submission::Submission;
use crate::config::Quota;
use crate::store::{Store, Viewer};
use profiler_core::Profiler;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// Most commands that wait for the owner.
const MAX_COMMANDS: usize = 64;
/// How long interrupted runs may take to end.
const INTERRUPT_LIMIT: Duration = Duration::from_secs(1);

/// A handle on the owner of the live runs. The owner and the runs end with the last handle.
#[derive(Debug, Clone)]
pub(crate) struct LiveRuns(mpsc::Sender<Command>);

impl LiveRuns {
    /// Starts the owner. `profiler` does the runs, and `store` keeps them. `quota` is that of
    /// each caller.
    pub(crate) fn start(
        profiler: Profiler,
        store: Store,
        concurrency: usize,
        max_queued: usize,
        quota: Quota,
    ) -> Self {
        let (sender, commands) = mpsc::channel(MAX_COMMANDS);
        let queue = FairQueue::new(concurrency, max_queued, quota.clone());
        tokio::spawn(owner::own(profiler, store, quota, queue, commands));
        Self(sender)
    }

    /// Accepts a job. A repeated request ID leads to its first run.
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

    /// Accepts no more runs and waits for the live ones to end. Interrupts those that are still
    /// live after `limit`.
    pub(crate) async fn drain(&self, limit: Duration) {
        if timeout(limit, self.ask(Command::Drain)).await.is_err() {
            let _ = self.0.send(Command::Interrupt).await;
            let _ = timeout(INTERRUPT_LIMIT, self.ask(Command::Drain)).await;
        }
    }

    /// An owner that has ended refuses everything.
    async fn ask<T>(
        &self,
        command: impl FnOnce(oneshot::Sender<T>) -> Command,
    ) -> Result<T, Refusal> {
        let (answer, answered) = oneshot::channel();
        self.0.send(command(answer)).await.map_err(|_| Refusal::ShuttingDown)?;
        answered.await.map_err(|_| Refusal::ShuttingDown)
    }
}
