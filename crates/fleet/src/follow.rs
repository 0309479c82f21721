//! Reader of all logs, in the order of their stream, from any position.

use crate::connection::Fleet;
use crate::connection::engine::{StreamName, Why};
use crate::error::FleetError;
use crate::log::whole;
use crate::messages::{Logged, Origin, QueuedJob};
use crate::names::{self, EVERY_JOB};
use bytes::Bytes;
use futures::{Stream, StreamExt};
use profiler_proto::v1;
use prost::{DecodeError, Message};
use std::sync::PoisonError;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

/// Pause before the next attempt after a failure of the engine.
const RETRY_PAUSE: Duration = Duration::from_millis(500);
/// Maximum silence of the engine before the gateway checks that its reader still exists there. An
/// engine forgets its readers when it restarts.
const MAX_SILENCE: Duration = Duration::from_secs(2);
/// Interval at which a gateway looks for the streams, and number of looks in a row that must not
/// find them.
const LOSS_INTERVAL: Duration = Duration::from_secs(2);
const MAX_ABSENCES: u32 = 2;
/// Timeout for reading an event, including its pieces.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of attempts to read an event.
const MAX_READ_TRIES: u32 = 3;
/// Maximum number of events buffered for the caller of [`Fleet::follow`].
const MAX_UNREAD: usize = 256;

/// An event of any run, or the deletion or move of a run, as read from the stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    /// Position of the entry in the stream. If more events of the entry follow, that of the entry
    /// before, so that whoever stopped here reads the entry again.
    pub position: u64,
    /// The event. For a deletion or a move, only its run ID is set.
    pub event: v1::Event,
    /// Whether somebody deleted the run.
    pub is_deletion: bool,
    /// The origin of the run; present with its first event and with a move to another pool.
    pub origin: Option<Origin>,
    /// The worker that wrote the entry; empty if a gateway wrote it.
    pub worker: String,
}

impl Followed {
    /// Whether the run, which no worker has begun, moved to the pool of its origin.
    pub fn is_move(&self) -> bool {
        // An event of a later version may be of a kind that this one does not know.
        self.event.kind.is_none() && self.origin.is_some()
    }
}

impl Fleet {
    /// Yields every event and deletion of every run after `position`, in the order in which the
    /// engine stored them, each once. It never ends: after a failure it continues at the same
    /// position.
    pub fn follow(&self, position: u64) -> impl Stream<Item = Followed> + Send + Unpin + use<> {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let (events, unread) = mpsc::channel(MAX_UNREAD);
        tokio::spawn(self.clone().follow_into(events, position));
        futures::stream::unfold(unread, async |mut unread| Some((unread.recv().await?, unread)))
            .boxed()
    }

    async fn follow_into(self, events: mpsc::Sender<Followed>, mut position: u64) {
        while !events.is_closed() {
            // An outage has a line of its own.
            if let Err(error) = Box::pin(self.follow_until_failure(&events, &mut position)).await
                && self.is_connected()
            {
                tracing::warn!(target: "Profiler", %error, "following the fleet again");
            }
            tokio::select! {
                biased;
                () = events.closed() => return,
                () = sleep(RETRY_PAUSE) => {}
            }
        }
    }

    async fn follow_until_failure(
        &self,
        events: &mpsc::Sender<Followed>,
        position: &mut u64,
    ) -> Result<(), FleetError> {
        let doing = "follow the logs";
        let reader = self.engine.read_logs(*position, MAX_SILENCE).await;
        let mut reader = reader.map_err(FleetError::when(doing))?;
        loop {
            let message = tokio::select! {
                biased;
                message = reader.next() => message,
                () = sleep(MAX_SILENCE) => {
                    // While the server that has the reader is down, the client waits forever.
                    let found = reader.check().await;
                    found.map_err(FleetError::when("find the reader of the logs"))?;
                    continue;
                }
                () = events.closed() => return Ok(()),
            };
            let Some(message) = message else { return Ok(()) };
            let message = message.map_err(FleetError::when(doing))?;
            let at = message.position;
            // A reader that the client has recreated can begin anywhere.
            if at <= *position {
                continue;
            }
            for followed in self.read_or_skip(at, &message.subject, &message.payload).await {
                if events.send(followed).await.is_err() {
                    return Ok(());
                }
            }
            let seen = Some((at, message.payload));
            *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = seen;
            *position = at;
        }
    }

    /// Reads an entry, or skips it if it is broken or every attempt fails, because it must not
    /// block the events of all other runs.
    async fn read_or_skip(&self, at: u64, subject: &str, message: &Bytes) -> Vec<Followed> {
        for _ in 0..MAX_READ_TRIES {
            match timeout(READ_TIMEOUT, self.read(at, subject, message.clone())).await {
                Ok(Ok(followed)) => return followed,
                Ok(Err(error)) if error.is_final() => {
                    self.skip_broken("an entry of a log", at, &error);
                    return Vec::new();
                }
                Ok(Err(error)) => {
                    tracing::warn!(target: "Profiler", at, %error, "reading an event again");
                    sleep(RETRY_PAUSE).await;
                }
                Err(_) => tracing::warn!(target: "Profiler", at, "reading an event takes long"),
            }
        }
        self.skip_broken("an entry of a log", at, &"no attempt to read it succeeded");
        Vec::new()
    }

    /// Returns once the engine has lost a stream: it is gone, the streams have another identity, or
    /// the logs are not those that were followed.
    pub async fn lost(&self, identity: i64) {
        let mut absences = 0;
        // An engine that restarts may not know its streams yet.
        while absences < MAX_ABSENCES {
            sleep(LOSS_INTERVAL).await;
            // Entries that come meanwhile are not in the answer.
            let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
            match self.identity().await {
                Ok((now, last)) => {
                    if now != identity || self.has_other_logs(last, seen).await {
                        return;
                    }
                    absences = 0;
                }
                Err(error) => absences += u32::from(error.why == Why::Absent),
            }
        }
    }

    /// Whether the logs, which end at position `last`, lack the entry that was followed, or have
    /// another one in its place. A deletion also removes entries.
    async fn has_other_logs(&self, last: u64, followed: Option<(u64, Bytes)>) -> bool {
        let Some((position, payload)) = followed else { return false };
        let found = self.engine.at(StreamName::Logs, position).await;
        last < position || found.is_ok_and(|found| found.is_some_and(|it| it.payload != payload))
    }

    /// Returns the origin of a run, with the pool to which the run moved; `None` if the engine has
    /// forgotten it.
    pub async fn origin_of(&self, run_id: &str) -> Result<Option<Origin>, FleetError> {
        let (mut origin, mut from) = (None, 1);
        while let Some((position, message)) = self.entry_from(run_id, from).await? {
            from = position + 1;
            let Ok(logged) = whole(message) else { continue };
            // A run that a worker has begun does not move.
            if logged.attempt > 0 {
                break;
            }
            origin = logged.origin.or(origin);
        }
        Ok(origin)
    }

    /// Returns the position of the first event of the runs whose jobs are the oldest of their
    /// callers; `None` if the queue is empty. Other live runs begin later, or shortly before.
    pub async fn oldest_live(&self) -> Result<Option<u64>, FleetError> {
        let doing = "find the oldest runs";
        let mut oldest = None;
        let lanes = self.engine.subjects(EVERY_JOB.into()).await;
        for (lane, _) in lanes.map_err(FleetError::when(doing))? {
            let job = self.engine.next(StreamName::Jobs, &lane, 1).await;
            let Some(job) = job.map_err(FleetError::when(doing))? else { continue };
            // A worker takes a broken job out of the queue.
            let Ok(queued) = QueuedJob::decode(job.payload) else { continue };
            let origin = queued.origin.unwrap_or_default();
            if let Some((first, _)) = self.entry_from(origin.run_id(), 1).await? {
                oldest = Some(oldest.map_or(first, |known: u64| known.min(first)));
            }
        }
        Ok(oldest)
    }

    /// Returns the events of one run that are still in the engine, in order.
    pub async fn events_of(&self, run_id: &str) -> Result<Vec<Followed>, FleetError> {
        let subject = names::log(run_id);
        let mut found = Vec::new();
        for (position, message) in self.entries_of(run_id).await? {
            let read = match self.read(position, &subject, message).await {
                Err(error) if error.is_final() => continue,
                read => read?,
            };
            found.extend(read.into_iter().filter(|it| !it.is_deletion && !it.is_move()));
        }
        Ok(found)
    }

    /// Returns the entries of a log that are still in the engine, with their positions, in order.
    pub(crate) async fn entries_of(&self, run_id: &str) -> Result<Vec<(u64, Bytes)>, FleetError> {
        let (mut found, mut from) = (Vec::new(), 1);
        while let Some(entry) = self.entry_from(run_id, from).await? {
            from = entry.0 + 1;
            found.push(entry);
        }
        Ok(found)
    }

    /// Returns the first entry of a log at or after position `from`, with its position.
    async fn entry_from(
        &self,
        run_id: &str,
        from: u64,
    ) -> Result<Option<(u64, Bytes)>, FleetError> {
        let found = self.engine.next(StreamName::Logs, &names::log(run_id), from).await;
        let found = found.map_err(FleetError::when("read a log"))?;
        Ok(found.map(|message| (message.position, message.payload)))
    }

    /// Decodes an entry of a log; nothing for the note that an attempt was handed back. The failure
    /// of a broken entry is final.
    async fn read(
        &self,
        position: u64,
        subject: &str,
        message: Bytes,
    ) -> Result<Vec<Followed>, FleetError> {
        let logged = whole(message)?;
        let Logged { origin, worker, is_deleted: is_deletion, .. } = logged;
        let note = Followed {
            position,
            event: v1::Event { run_id: names::run_of(subject), ..v1::Event::default() },
            is_deletion,
            origin,
            worker,
        };
        let Some(first) = logged.event else {
            let is_told = is_deletion || note.origin.is_some();
            return Ok(is_told.then_some(note).into_iter().collect());
        };
        let mut read = Vec::new();
        for body in std::iter::once(first).chain(logged.more) {
            let bytes = self.bytes(body).await?;
            let event = v1::Event::decode(bytes.as_slice()).map_err(|error: DecodeError| {
                FleetError::for_good("read a log", error.to_string())
            })?;
            let origin = note.origin.clone().filter(|_| read.is_empty());
            read.push(Followed { position: position - 1, event, origin, ..note.clone() });
        }
        if let Some(last) = read.last_mut() {
            last.position = position;
        }
        Ok(read)
    }
}
