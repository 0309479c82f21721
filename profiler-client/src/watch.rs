//! A run's events over streams that break.
//!
//! ```text
//!   submit: first event ──┐ ┌── attach: WatchRun(after) opened
//!                         ▼ ▼
//!          ┌────────────▶ open ──last event──▶ ended ──the status behind it──▶ over
//!          │ message        │ transport error, ABORTED, UNAVAILABLE, an end without a
//!          │                │ last event, or silence (then the connection is new, too)
//!          │                ▼
//!          └─ WatchRun ── broken ──▶ an error: another status (the profiler does not know
//!           (last event)   ▲  │      the run), or no message within OUTAGE
//!                          └──┘ backoff
//! ```
//!
//! Between an event's number and that of the event before it stands exactly one step: what does not
//! go on by one has been delivered already, or is an error. An outage is over when a message has
//! come, not when a stream has been opened: one that is opened only to break counts as the same
//! outage. All of the state stands in [`Watch`], so that a [`next`](Watch::next) that is dropped
//! loses nothing.

use crate::retry::{Attempts, Failure, lost};
use crate::{Client, Error, Event, Notice};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, ProfileStreamResponse, SizeResult, WatchRunResponse};
use std::time::Duration;
use tokio::time::error::Elapsed;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tokio_util::task::AbortOnDropHandle;
use tonic::{Status, Streaming};

/// The profiler shows every 5 s that it lives. One that is silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(20);
/// How long opening a stream may take.
const OPENING: Duration = Duration::from_secs(5);
/// How long a broken stream is worth taking up: `ON_DISCONNECT_GRACE` keeps the run for so long.
const OUTAGE: Duration = Duration::from_secs(30);
/// How long the status behind the last event is waited for.
const TRAILER: Duration = Duration::from_secs(1);

/// Somebody who watches a run.
#[derive(Debug)]
pub(crate) struct Watch {
    client: Client,
    run_id: String,
    /// The last event's number.
    sequence: u64,
    deadline: Option<Instant>,
    /// The event that accepted the run, until it has been read.
    first: Option<Event>,
    stream: Option<Stream>,
    /// The stream to come. It is opened by a task of its own, so that it comes even to who is
    /// dropped and asks again faster than the profiler answers.
    opening: Option<AbortOnDropHandle<Result<Result<Stream, Status>, Elapsed>>>,
    /// When the profiler was last heard of.
    heard: Instant,
    outage: Option<Outage>,
    /// The sizes since the last `restarted` event.
    sizes: Vec<SizeResult>,
    ended: bool,
}

/// What the events come over.
#[derive(Debug)]
pub(crate) enum Stream {
    Submission(Streaming<ProfileStreamResponse>),
    Watch(Streaming<WatchRunResponse>),
}

impl Stream {
    pub(crate) async fn message(&mut self) -> Result<v1::Event, Failure> {
        let event = match self {
            Self::Submission(stream) => stream.message().await?.map(|answer| answer.event),
            Self::Watch(stream) => stream.message().await?.map(|answer| answer.event),
        };
        let event = event.ok_or_else(|| {
            Failure::gone("the profiler's stream ended without a last event".into())
        });
        Ok(event?.ok_or(Error::Incomplete("event"))?)
    }
}

/// The time between a stream that broke and the next message.
#[derive(Debug)]
struct Outage {
    attempts: Attempts,
    /// When the next attempt is made.
    next: Instant,
}

/// Opens a stream when its time has come.
async fn open(
    client: Client,
    run_id: String,
    sequence: u64,
    at: Instant,
) -> Result<Result<Stream, Status>, Elapsed> {
    sleep_until(at).await;
    timeout(OPENING, client.watch(&run_id, sequence)).await
}

impl Watch {
    /// Watches what comes over `stream` behind the event `sequence`.
    pub(crate) fn new(
        client: Client,
        run_id: String,
        sequence: u64,
        stream: Stream,
        deadline: Option<Instant>,
    ) -> Self {
        Self {
            client,
            run_id,
            sequence,
            deadline,
            first: None,
            stream: Some(stream),
            opening: None,
            heard: Instant::now(),
            outage: None,
            sizes: Vec::new(),
            ended: false,
        }
    }

    /// Waits for the event that accepts a submission, and names the run.
    pub(crate) async fn accepted(
        client: Client,
        mut stream: Stream,
        deadline: Option<Instant>,
    ) -> Result<Self, Failure> {
        let first = stream.message().await?;
        let mut watch = Self::new(client, first.run_id.clone(), 0, stream, deadline);
        watch.first = watch.take(first)?;
        Ok(watch)
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn run_id(&self) -> &str {
        &self.run_id
    }

    pub(crate) fn sizes(&self) -> &[SizeResult] {
        &self.sizes
    }

    /// Whether the last event has come.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// The next event; `None` behind the last.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>, Error> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        match self.deadline {
            Some(at) => timeout_at(at, self.follow()).await.map_err(|_| Error::Deadline)?,
            None => self.follow().await,
        }
    }

    async fn follow(&mut self) -> Result<Option<Event>, Error> {
        while !self.ended {
            match self.message().await {
                Ok(message) => {
                    self.outage = None;
                    if let Some(event) = self.take(message)? {
                        return Ok(Some(event));
                    }
                }
                Err(failure) => self.broken(failure)?,
            }
        }
        self.trailer().await
    }

    /// The next message of the stream that is open, or of one that is opened when its time has
    /// come.
    async fn message(&mut self) -> Result<v1::Event, Failure> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            closed @ None => {
                let opening = self.opening.get_or_insert_with(|| {
                    let at = self.outage.as_ref().map_or_else(Instant::now, |outage| outage.next);
                    let opened = open(self.client.clone(), self.run_id.clone(), self.sequence, at);
                    AbortOnDropHandle::new(tokio::spawn(opened))
                });
                let opened = opening.await;
                self.opening = None;
                self.heard = Instant::now();
                let Ok(Ok(opened)) = opened else {
                    self.client.renew();
                    return Err(Failure::gone(format!(
                        "the profiler did not answer within {OPENING:?}"
                    )));
                };
                closed.insert(opened?)
            }
        };
        let Ok(message) = timeout_at(self.heard + SILENCE, stream.message()).await else {
            // What holds the connection open may be nobody.
            self.client.renew();
            return Err(Failure::gone(format!("the profiler was silent for {SILENCE:?}")));
        };
        self.heard = Instant::now();
        message
    }

    /// Gives up, or plans the next attempt.
    fn broken(&mut self, failure: Failure) -> Result<(), Error> {
        self.stream = None;
        let now = Instant::now();
        let outage = self
            .outage
            .get_or_insert_with(|| Outage { attempts: Attempts::until(now + OUTAGE), next: now });
        match (outage.attempts.after(&failure), failure.again) {
            (Some(after), _) => {
                outage.next = now + after;
                self.client.tell(&Notice::Reconnecting { cause: &failure.error, after });
                Ok(())
            }
            (None, Some(_)) => Err(Error::Lost(Box::new(failure.error))),
            (None, None) => Err(failure.error),
        }
    }

    /// Takes what goes on by one step, drops what has been delivered, and refuses what leaves a
    /// gap.
    fn take(&mut self, message: v1::Event) -> Result<Option<Event>, Error> {
        let event = Event::try_from(message)?;
        let due = event.due(self.sequence);
        if event.sequence > due {
            return Err(Error::Gap { after: self.sequence, found: event.sequence });
        }
        if event.sequence < due {
            return Ok(None);
        }
        self.sequence = due;
        self.ended = event.is_last();
        match &event.kind {
            Kind::SizeMeasured(size) => self.sizes.push(size.clone()),
            Kind::Restarted(_) => self.sizes.clear(),
            _ => {}
        }
        Ok(Some(event))
    }

    /// The status behind the last event. What the transport has to say there is of no interest.
    async fn trailer(&mut self) -> Result<Option<Event>, Error> {
        let Some(mut stream) = self.stream.take() else { return Ok(None) };
        let status = match &mut stream {
            Stream::Submission(stream) => timeout(TRAILER, stream.message()).await.map(Result::err),
            Stream::Watch(stream) => timeout(TRAILER, stream.message()).await.map(Result::err),
        };
        match status {
            Ok(Some(status)) if !lost(&status) => Err(Error::from(status)),
            _ => Ok(None),
        }
    }
}
