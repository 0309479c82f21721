//! A run's events over streams that break.
//!
//! ```text
//!   submit: first event ──┐ ┌── attach: WatchRun(after) opened
//!                         ▼ ▼
//!          ┌────────────▶ open ──last event──▶ ended ──the status after it───▶ over
//!          │ message        │ transport error, ABORTED, UNAVAILABLE, an end without a
//!          │                │ last event, or silence (then the connection is new, too)
//!          │                ▼
//!          └─ WatchRun ── broken ──▶ an error: another status (the profiler does not know
//!           (last event)   ▲  │      the run), or no message within OUTAGE
//!                          └──┘ backoff
//! ```
//!
//! Each event's number is one more than the number before it. A smaller number was delivered
//! already; a larger one is an error. An outage ends with the next message, not when a stream
//! opens: a stream that breaks at once belongs to the same outage. [`Watch`] holds all state, so
//! dropping [`next`](Watch::next) loses nothing.

use crate::connection::{Connection, Stream};
use crate::error::Error;
use crate::event::Event;
use crate::notice::Notice;
use crate::retry::{Attempts, Failure, lost};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, SizeResult};
use std::time::Duration;
use tokio::time::error::Elapsed;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tokio_util::task::AbortOnDropHandle;
use tonic::Status;

/// Silence after which the profiler counts as gone. It sends a heartbeat every 5 s.
const SILENCE: Duration = Duration::from_secs(20);
/// Timeout for opening a stream.
const OPENING: Duration = Duration::from_secs(5);
/// Time limit for resuming a broken stream: as long as `ON_DISCONNECT_GRACE` keeps the run.
const OUTAGE: Duration = Duration::from_secs(30);
/// Timeout for the status after the last event.
const TRAILER: Duration = Duration::from_secs(1);

/// The watcher of a run.
#[derive(Debug)]
pub(crate) struct Watch {
    connection: Connection,
    run_id: String,
    /// The sequence number of the last event.
    sequence: u64,
    deadline: Option<Instant>,
    /// The event that accepted the run, until the caller reads it.
    first: Option<Event>,
    stream: Option<Stream>,
    /// The next stream. A separate task opens it. So the stream opens even if the caller drops the
    /// future and asks again faster than the profiler answers.
    opening: Option<AbortOnDropHandle<Result<Result<Stream, Status>, Elapsed>>>,
    /// Time of the last message.
    heard: Instant,
    outage: Option<Outage>,
    /// The sizes since the last `restarted` event.
    sizes: Vec<SizeResult>,
    ended: bool,
}

/// The time between a broken stream and the next message.
#[derive(Debug)]
struct Outage {
    attempts: Attempts,
    /// Time of the next attempt.
    next: Instant,
}

/// Opens a stream at the planned time.
async fn open(
    connection: Connection,
    run_id: String,
    sequence: u64,
    at: Instant,
) -> Result<Result<Stream, Status>, Elapsed> {
    sleep_until(at).await;
    timeout(OPENING, connection.watch(&run_id, sequence)).await
}

impl Watch {
    /// Watches the events of `stream` after the event `sequence`.
    pub(crate) fn new(
        connection: Connection,
        run_id: String,
        sequence: u64,
        stream: Stream,
        deadline: Option<Instant>,
    ) -> Self {
        Self {
            connection,
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

    /// Waits for the event that accepts a submission, and takes the run's id from it.
    pub(crate) async fn accepted(
        connection: Connection,
        mut stream: Stream,
        deadline: Option<Instant>,
    ) -> Result<Self, Failure> {
        let first = stream.message().await?;
        let mut watch = Self::new(connection, first.run_id.clone(), 0, stream, deadline);
        watch.first = watch.take(first)?;
        Ok(watch)
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
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

    /// Returns the next event; `None` after the last one.
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

    /// Returns the next message of the open stream; opens one first if there is none.
    async fn message(&mut self) -> Result<v1::Event, Failure> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            closed @ None => {
                let opening = self.opening.get_or_insert_with(|| {
                    let at = self.outage.as_ref().map_or_else(Instant::now, |outage| outage.next);
                    let opened =
                        open(self.connection.clone(), self.run_id.clone(), self.sequence, at);
                    AbortOnDropHandle::new(tokio::spawn(opened))
                });
                let opened = opening.await;
                self.opening = None;
                self.heard = Instant::now();
                let Ok(Ok(opened)) = opened else {
                    self.connection.renew();
                    return Err(Failure::gone(format!(
                        "the profiler did not answer within {OPENING:?}"
                    )));
                };
                closed.insert(opened?)
            }
        };
        let Ok(message) = timeout_at(self.heard + SILENCE, stream.message()).await else {
            // The connection may be open although the profiler is gone.
            self.connection.renew();
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
                self.connection.tell(&Notice::Reconnecting { cause: &failure.error, after });
                Ok(())
            }
            (None, Some(_)) => Err(Error::Lost(Box::new(failure.error))),
            (None, None) => Err(failure.error),
        }
    }

    /// Accepts the next event in sequence and rejects a gap. Drops repeated events, and those of a
    /// kind that only a later version knows.
    fn take(&mut self, message: v1::Event) -> Result<Option<Event>, Error> {
        let due = match message.kind {
            Some(Kind::Heartbeat(_)) => self.sequence,
            _ => self.sequence.saturating_add(1),
        };
        if message.sequence > due {
            return Err(Error::Gap { after: self.sequence, found: message.sequence });
        }
        if message.sequence < due {
            return Ok(None);
        }
        self.sequence = due;
        if message.kind.is_none() {
            return Ok(None);
        }
        let event = Event::try_from(message)?;
        self.ended = event.is_last();
        match &event.kind {
            Kind::SizeMeasured(size) => self.sizes.push(size.clone()),
            Kind::Restarted(_) => self.sizes.clear(),
            _ => {}
        }
        Ok(Some(event))
    }

    /// Reads the status after the last event. A transport error there is ignored.
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
