//! What a run says while it is under way.

use crate::limits::EVENT_QUEUE;
use crate::report::CompileStep;
use crate::report::{ProfileReport, SandboxError, SizeResult};
use std::time::SystemTime;
use tokio::sync::mpsc;

/// Something that happened to a run.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Event {
    /// The run.
    pub run_id: String,
    /// Rises by one from event to event, from 1.
    pub sequence: u64,
    /// When it happened.
    #[serde(skip)]
    pub time: SystemTime,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The run was accepted.
    Accepted {
        /// How many runs are in front of this one.
        queue_position: u32,
    },
    /// The program was compiled.
    Compiled(Box<CompileStep>),
    /// A size was measured.
    SizeMeasured(Box<SizeResult>),
    /// Nothing happened, and the run is alive.
    Heartbeat {
        /// How many runs are in front of this one; 0 once it runs.
        queue_position: u32,
    },
    /// The last event: the report.
    Finished(Box<ProfileReport>),
    /// The last event: what ended the run early.
    Failed(Box<SandboxError>),
}

impl EventKind {
    /// Whether no event follows.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Finished(_) | Self::Failed(_))
    }
}

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
