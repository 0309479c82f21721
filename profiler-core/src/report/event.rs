//! The events of a run in progress.

use crate::limits::EVENT_QUEUE;
use crate::report::CompileStep;
use crate::report::{ProfileReport, SandboxError, SizeResult};
use std::time::SystemTime;
use tokio::sync::mpsc;

/// Something that happened to a run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Event {
    /// The run's id.
    pub run_id: String,
    /// The event's number, from 1.
    pub sequence: u64,
    /// Time of the event.
    #[serde(skip)]
    pub time: SystemTime,
    /// Kind of the event, with its data.
    pub kind: EventKind,
}

/// Kind of an event, with its data.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The run was accepted.
    Accepted {
        /// Number of runs ahead of this one.
        queue_position: u32,
    },
    /// The program was compiled.
    Compiled(Box<CompileStep>),
    /// A size was measured.
    SizeMeasured(Box<SizeResult>),
    /// The run is alive, although nothing happened.
    Heartbeat {
        /// Number of runs ahead of this one; 0 once it runs.
        queue_position: u32,
    },
    /// The last event: the report.
    Finished(Box<ProfileReport>),
    /// The last event: the error that ended the run early.
    Failed(Box<SandboxError>),
}

impl EventKind {
    /// Whether no event follows.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Finished(_) | Self::Failed(_))
    }
}

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

/// Numbers a run's events and sends them to the watcher. Notes when each step began.
#[derive(Debug)]
pub struct Events {
    run_id: String,
    sequence: u64,
    to: mpsc::Sender<Event>,
    steps: Vec<(Step, SystemTime)>,
}

impl Events {
    /// The sender and the receiver of the events of run `run_id`. The queue holds [`EVENT_QUEUE`]
    /// events.
    pub fn new(run_id: impl Into<String>) -> (Self, mpsc::Receiver<Event>) {
        let (to, from) = mpsc::channel(EVENT_QUEUE);
        (Self { run_id: run_id.into(), sequence: 0, to, steps: Vec::new() }, from)
    }

    /// Sends an event. A missing watcher is not an error here. The caller that notices the
    /// disconnect decides what happens to the run.
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

    /// The run's id.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// The steps that have begun, and when. Each ends where the next begins.
    pub fn steps(&self) -> &[(Step, SystemTime)] {
        &self.steps
    }

    /// This step begins now.
    pub(crate) fn begin(&mut self, step: Step) {
        self.steps.push((step, SystemTime::now()));
    }
}
