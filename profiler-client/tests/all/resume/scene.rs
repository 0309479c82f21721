//! A client, a server, the connection between them, and the one clock.
//!
//! The clock is paused. It advances by exactly the time that the client waits, or when a test says
//! so. Messages over the sockets take none of its time.

use crate::resume::line::Line;
use crate::resume::server::{self, Answer, Call, Events, Submission};
use profiler_client::v1::event::Kind;
use profiler_client::v1::{self, Accepted, Heartbeat, Job, ProfileReport, SizeResult};
use profiler_client::{Client, Error, Event, Notice, Run};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, advance};

/// The run's name.
pub(crate) const RUN: &str = "the run";
/// tokio's timers have this resolution.
const TICK: Duration = Duration::from_millis(1);
/// The step of advancing time.
const STEPS: u32 = 10;

pub(crate) struct Scene {
    pub(crate) client: Client,
    pub(crate) line: Line,
    calls: mpsc::Receiver<Call>,
    notices: mpsc::UnboundedReceiver<Duration>,
    begin: Instant,
    /// While a blocking task lives, tokio does not advance a paused clock by itself.
    _held: std::sync::mpsc::Sender<()>,
}

impl Scene {
    pub(crate) async fn new() -> Self {
        let (held, holding) = std::sync::mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || holding.recv().ok());
        let (server, calls) = server::serve().await;
        let line = Line::to(server).await;
        let (tell, notices) = mpsc::unbounded_channel();
        let client = Client::connect(&format!("http://{}", line.address)).await.unwrap();
        let client = client.with_listener(move |notice| {
            let (Notice::Retrying { after, .. } | Notice::Reconnecting { after, .. }) = notice
            else {
                panic!("{notice:?}")
            };
            // A test that has seen enough no longer listens.
            let _ = tell.send(*after);
        });
        Self { client, line, calls, notices, begin: Instant::now(), _held: held }
    }

    /// By the paused clock.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Lets the client wait whenever it asks to, until `done`.
    pub(crate) async fn until<T>(&mut self, done: impl Future<Output = T>) -> T {
        tokio::pin!(done);
        loop {
            tokio::select! {
                biased;
                done = &mut done => return done,
                Some(after) = self.notices.recv() => advance(after + TICK).await,
            }
        }
    }

    /// Advances time in steps, between which the connection answers its probes.
    pub(crate) async fn pass(&self, time: Duration) {
        for _ in 0..STEPS {
            self.client.runs("").await.unwrap();
            advance(time / STEPS).await;
        }
    }

    /// The next incoming call.
    pub(crate) async fn call(&mut self) -> Call {
        loop {
            tokio::select! {
                biased;
                call = self.calls.recv() => return call.unwrap(),
                Some(after) = self.notices.recv() => advance(after + TICK).await,
            }
        }
    }

    pub(crate) async fn submission(&mut self) -> Submission {
        match self.call().await {
            Call::Submission(submission) => *submission,
            other => panic!("{other:?}"),
        }
    }

    /// The next call, which watches the run from after this event.
    pub(crate) async fn watch(&mut self, after_sequence: u64) -> Answer {
        match self.call().await {
            Call::Watch(request, answer) => {
                assert_eq!(
                    (request.run_id.as_str(), request.after_sequence),
                    (RUN, after_sequence)
                );
                answer
            }
            other => panic!("{other:?}"),
        }
    }

    /// Waits until the client wants to wait, and returns for how long.
    pub(crate) async fn notice(&mut self) -> Duration {
        self.notices.recv().await.unwrap()
    }

    /// Submits a job in the background.
    pub(crate) fn submit(&self, job: Job) -> JoinHandle<Result<Run, Error>> {
        let client = self.client.clone();
        tokio::spawn(async move { client.submit(job).await })
    }

    /// An accepted run, and the sender of its stream.
    pub(crate) async fn accepted(&mut self) -> (Run, Events) {
        self.accepted_as(Job::default()).await
    }

    pub(crate) async fn accepted_as(&mut self, job: Job) -> (Run, Events) {
        let submitted = self.submit(job);
        let events = self.submission().await.answer.stream(vec![accepted()]).await;
        (submitted.await.unwrap().unwrap(), events)
    }
}

/// Reads a run's events in the background, to the end or the first error.
pub(crate) fn reading(mut run: Run) -> JoinHandle<(Vec<Event>, Result<(), Error>)> {
    tokio::spawn(async move {
        let mut events = Vec::new();
        loop {
            match run.next().await {
                Ok(Some(event)) => events.push(event),
                Ok(None) => return (events, Ok(())),
                Err(error) => return (events, Err(error)),
            }
        }
    })
}

/// The numbers of events.
pub(crate) fn numbers(events: &[Event]) -> Vec<u64> {
    events.iter().map(|event| event.sequence).collect()
}

pub(crate) fn event(sequence: u64, kind: Kind) -> v1::Event {
    let time = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(sequence);
    v1::Event { run_id: RUN.into(), sequence, time: Some(time.into()), kind: Some(kind) }
}

pub(crate) fn accepted() -> v1::Event {
    event(1, Kind::Accepted(Accepted { queue_position: 0 }))
}

pub(crate) fn measured(sequence: u64) -> v1::Event {
    event(sequence, Kind::SizeMeasured(SizeResult::default()))
}

pub(crate) fn heartbeat(sequence: u64) -> v1::Event {
    event(sequence, Kind::Heartbeat(Heartbeat { queue_position: 0 }))
}

pub(crate) fn finished(sequence: u64) -> v1::Event {
    event(sequence, Kind::Finished(ProfileReport::default()))
}
