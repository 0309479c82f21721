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
//! Each event's number is one more than the number before it. An event with a smaller number was
//! delivered already; one with a larger number is an error. An outage ends with the next message,
//! not when a stream opens: a stream that breaks at once belongs to the same outage. [`Watch`]
//! holds all state and every timer, so a caller can stop polling at any time and loses nothing.

use crate::connection::{Connection, Stream};
use crate::error::Error;
use crate::event::Event;
use crate::notice::Notice;
use crate::retry::{Attempts, Failure, lost};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, SizeResult};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::error::Elapsed;
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};
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
    pub(crate) connection: Connection,
    pub(crate) run_id: String,
    /// The sequence number of the last event.
    sequence: u64,
    deadline: Option<Pin<Box<Sleep>>>,
    /// The event that accepted the run, until the caller reads it.
    first: Option<Event>,
    stream: Option<Stream>,
    /// The next stream. A separate task opens it, so that the stream opens even if the caller drops
    /// the future and polls again faster than the profiler answers.
    opening: Option<AbortOnDropHandle<Result<Result<Stream, Status>, Elapsed>>>,
    /// End of the wait for a message: [`SILENCE`] after the last one, or [`TRAILER`] at the end.
    patience: Pin<Box<Sleep>>,
    outage: Option<Outage>,
    /// The sizes since the last `restarted` event.
    pub(crate) sizes: Vec<SizeResult>,
    /// Whether the last event has come.
    pub(crate) ended: bool,
    /// Whether the watcher waits for the status after the last event.
    is_trailing: bool,
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
            deadline: deadline.map(|at| Box::pin(sleep_until(at))),
            first: None,
            stream: Some(stream),
            opening: None,
            patience: Box::pin(sleep(SILENCE)),
            outage: None,
            sizes: Vec::new(),
            ended: false,
            is_trailing: false,
        }
    }

    /// Waits for the event that accepts a submission, and takes the run's id from it.
    pub(crate) async fn accepted(
        connection: Connection,
        mut stream: Stream,
        deadline: Option<Instant>,
    ) -> Result<Self, Failure> {
        let first = poll_fn(|cx| stream.poll_message(cx)).await?;
        let mut watch = Self::new(connection, first.run_id.clone(), 0, stream, deadline);
        watch.first = watch.take(first)?;
        Ok(watch)
    }

    /// Polls for the next event; `None` after the last one.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Event>, Error>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Ok(Some(first)));
        }
        if let Poll::Ready(next) = self.poll_follow(cx) {
            return Poll::Ready(next);
        }
        let Some(deadline) = &mut self.deadline else { return Poll::Pending };
        deadline.as_mut().poll(cx).map(|()| Err(Error::Deadline))
    }

    fn poll_follow(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Event>, Error>> {
        while !self.ended {
            match ready!(self.poll_message(cx)) {
                Ok(message) => {
                    self.outage = None;
                    if let Some(event) = self.take(message)? {
                        return Poll::Ready(Ok(Some(event)));
                    }
                }
                Err(failure) => self.broken(failure)?,
            }
        }
        self.poll_trailer(cx)
    }

    /// Polls for the next message of the open stream; opens one first if there is none.
    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Result<v1::Event, Failure>> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            closed @ None => {
                let opening = self.opening.get_or_insert_with(|| {
                    let at = self.outage.as_ref().map_or_else(Instant::now, |outage| outage.next);
                    let opened =
                        open(self.connection.clone(), self.run_id.clone(), self.sequence, at);
                    AbortOnDropHandle::new(tokio::spawn(opened))
                });
                let opened = ready!(Pin::new(opening).poll(cx));
                self.opening = None;
                self.patience.as_mut().reset(Instant::now() + SILENCE);
                let Ok(Ok(opened)) = opened else {
                    self.connection.renew();
                    return Poll::Ready(Err(Failure::gone(format!(
                        "the server did not answer within {OPENING:?}"
                    ))));
                };
                closed.insert(opened?)
            }
        };
        if let Poll::Ready(message) = stream.poll_message(cx) {
            self.patience.as_mut().reset(Instant::now() + SILENCE);
            return Poll::Ready(message);
        }
        ready!(self.patience.as_mut().poll(cx));
        // The connection may be open although the profiler is gone.
        self.connection.renew();
        Poll::Ready(Err(Failure::gone(format!("the server was silent for {SILENCE:?}"))))
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
                self.connection
                    .listener
                    .tell(&Notice::Reconnecting { cause: &failure.error, after });
                Ok(())
            }
            (None, Some(_)) => Err(Error::Lost(Box::new(failure.error))),
            (None, None) => Err(failure.error),
        }
    }

    /// Accepts the next event in sequence and rejects a gap. Drops repeated events, and events of a
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
        self.ended = event.kind.is_last();
        match &event.kind {
            Kind::SizeMeasured(size) => self.sizes.push(size.clone()),
            Kind::Restarted(_) => self.sizes.clear(),
            _ => {}
        }
        Ok(Some(event))
    }

    /// Reads the status after the last event. A transport error there is ignored.
    fn poll_trailer(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Event>, Error>> {
        let Some(stream) = &mut self.stream else { return Poll::Ready(Ok(None)) };
        let answer = match stream.poll_answer(cx) {
            Poll::Ready(answer) => answer,
            Poll::Pending => {
                if !self.is_trailing {
                    self.is_trailing = true;
                    self.patience.as_mut().reset(Instant::now() + TRAILER);
                }
                ready!(self.patience.as_mut().poll(cx));
                None
            }
        };
        self.stream = None;
        Poll::Ready(match answer {
            Some(Err(status)) if !lost(&status) => Err(Error::from(status)),
            _ => Ok(None),
        })
    }
}
