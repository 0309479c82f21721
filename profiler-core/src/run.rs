//! A run: one job under way, what it says, and how it is stopped.

use crate::error::{ErrorCode, SandboxError};
use crate::event::{Event, EventKind};
use crate::job::Job;
use crate::limits::EVENT_QUEUE;
use crate::pipeline;
use crate::report::ProfileReport;
use crate::sandbox::Pool;
use std::time::SystemTime;
use tokio::sync::{mpsc, watch};
use tracing::Instrument;

/// Numbers a run's events and sends them to whoever watches.
#[derive(Debug)]
pub struct Events {
    run_id: String,
    sequence: u64,
    to: mpsc::Sender<Event>,
}

impl Events {
    /// The events of run `run_id`, and where they come out. The queue holds [`EVENT_QUEUE`].
    pub fn new(run_id: impl Into<String>) -> (Self, mpsc::Receiver<Event>) {
        let (to, from) = mpsc::channel(EVENT_QUEUE);
        (Self { run_id: run_id.into(), sequence: 0, to }, from)
    }

    /// Sends an event. A watcher that is gone is no error: what that means for the run is decided
    /// where its going away is seen.
    pub async fn emit(&mut self, kind: EventKind) {
        self.sequence += 1;
        let event = Event {
            run_id: self.run_id.clone(),
            sequence: self.sequence,
            time: SystemTime::now(),
            kind,
        };
        let _ = self.to.send(event).await;
    }

    /// The run.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }
}

/// Stops a run. Clones stop the same run; the first reason counts.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<Option<ErrorCode>>);

/// Where a run learns that it has been stopped.
#[derive(Debug, Clone)]
pub struct Stopped(watch::Receiver<Option<ErrorCode>>);

/// The two ends of a run's stop signal.
pub fn stop_signal() -> (Stopper, Stopped) {
    let (to, from) = watch::channel(None);
    (Stopper(to), Stopped(from))
}

impl Stopper {
    /// Ends the run with `code`, the program in the sandbox included.
    pub fn stop(&self, code: ErrorCode) {
        self.0.send_if_modified(|reason| reason.is_none() && reason.replace(code).is_none());
    }
}

impl Stopped {
    /// Returns once the run has been stopped; never if every [`Stopper`] is gone.
    pub async fn stopped(&mut self) -> ErrorCode {
        match self.0.wait_for(Option::is_some).await.map(|reason| *reason) {
            Ok(Some(code)) => code,
            _ => std::future::pending().await,
        }
    }
}

/// Profiles `job` in a sandbox of `pool`, once it is its `turn`. Emits an event for each step, and exactly one last event,
/// which is also what it returns. When it returns, the sandbox is gone.
pub async fn conduct(
    job: &Job,
    pool: &Pool,
    events: &mut Events,
    stopped: &mut Stopped,
    turn: impl Future<Output = ()>,
) -> Result<ProfileReport, SandboxError> {
    let (run_id, task_id) = (events.run_id(), &job.task_id);
    let span = tracing::info_span!(target: "Profiler", "job", run_id, task_id);
    let ended = pipeline::profile(job, pool, events, stopped, turn).instrument(span).await;
    events
        .emit(match &ended {
            Ok(report) => EventKind::Finished(Box::new(report.clone())),
            Err(error) => EventKind::Failed(Box::new(error.clone())),
        })
        .await;
    ended
}
