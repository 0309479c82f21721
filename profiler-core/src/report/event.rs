//! The events of a run in progress.

use crate::limits::EVENT_QUEUE;
use futures::FutureExt;
use futures::future::BoxFuture;
use profiler_growth::Observed;
use profiler_proto::v1::Event;
use profiler_proto::v1::event::Kind;
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::mpsc;

/// A step of a run that has its sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The program is compiled.
    Build,
    /// The program is measured on a core of its own.
    Measure,
    /// The measurements are analysed, and the program is profiled.
    Analyse,
}

/// Numbers a run's events and sends them to the watcher. Records when each step began, how long the
/// run waited for a core, and what growth was classified from.
#[derive(Debug)]
pub struct Events {
    run_id: String,
    sequence: u64,
    to: mpsc::Sender<Event>,
    steps: Vec<(Step, SystemTime)>,
    /// Duration of the wait for a core; `None` before the run has one.
    core_wait: Option<Duration>,
    /// Beginning of the wait for a core.
    waits_since: Option<Instant>,
    observed: Option<Observed>,
}

impl Events {
    /// The sender and the receiver of the events of run `run_id`. The queue holds [`EVENT_QUEUE`]
    /// events.
    pub fn new(run_id: impl Into<String>) -> (Self, mpsc::Receiver<Event>) {
        let (to, from) = mpsc::channel(EVENT_QUEUE);
        let run_id = run_id.into();
        let events = Self {
            run_id,
            sequence: 0,
            to,
            steps: Vec::new(),
            core_wait: None,
            waits_since: None,
            observed: None,
        };
        (events, from)
    }

    /// Makes the first event follow event `sequence`, which an earlier process has sent.
    #[must_use]
    pub fn after(self, sequence: u64) -> Self {
        Self { sequence, ..self }
    }

    /// Sends an event. A missing watcher is not an error here. The caller that notices the
    /// disconnect decides what happens to the run.
    ///
    /// The future is boxed because a report is large, and every future around it would grow.
    pub fn emit(&mut self, kind: Kind) -> BoxFuture<'_, ()> {
        self.sequence += 1;
        let event = Event {
            run_id: self.run_id.clone(),
            sequence: self.sequence,
            time: Some(SystemTime::now().into()),
            kind: Some(kind),
        };
        async {
            let _ = self.to.send(event).await;
        }
        .boxed()
    }

    /// The run's id.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// Returns the steps that have begun, and when they began. Each ends when the next begins.
    pub fn steps(&self) -> &[(Step, SystemTime)] {
        &self.steps
    }

    /// Records that a step begins now.
    pub(crate) fn begin(&mut self, step: Step) {
        self.steps.push((step, SystemTime::now()));
    }

    /// Records that the run begins to wait for a core.
    pub(crate) fn begin_core_wait(&mut self) {
        self.waits_since = Some(Instant::now());
    }

    /// Records that the run has a core, and how long it waited.
    pub(crate) fn end_core_wait(&mut self) {
        self.core_wait = Some(self.waits_since.map_or(Duration::ZERO, |since| since.elapsed()));
    }

    /// The time that the run has waited for a core, even if it never got one; `None` if it has not
    /// asked for one.
    pub(crate) fn core_wait(&self) -> Option<Duration> {
        self.core_wait.or(self.waits_since.map(|since| since.elapsed()))
    }

    /// Returns the observations that growth was classified from; `None` before the classification,
    /// and if the classification did not use them. A benchmark replays them.
    pub fn observed(&self) -> Option<&Observed> {
        self.observed.as_ref()
    }

    /// Keeps the observations that growth was classified from.
    pub(crate) fn observe(&mut self, observed: Option<Observed>) {
        self.observed = observed;
    }
}
