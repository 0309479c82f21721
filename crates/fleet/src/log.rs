//! The log of a run: its events in order. It decides which writer may continue. An entry has an
//! event, or several that came shortly after each other: an entry costs the engine a synced write.
//!
//! An append names the position of the event that its writer saw last, and the engine refuses it if
//! another event has been stored since. A writer that gets no answer reads the last event from the
//! leader of the stream. If another leader has just replaced it, it may lack the last event. The
//! writer then appends again, and the engine refuses. Each append has a unique claim, by which a
//! writer distinguishes its event from another writer's event with the same number. An append whose
//! future was dropped may still be stored later. The writer's next append then goes after it.

use crate::blobs::MAX_INLINE_BYTES;
use crate::connection::engine::{Put, StreamName};
use crate::connection::{ANSWER_TIMEOUT, Fleet};
use crate::error::FleetError;
use crate::messages::{Body, Logged, Origin};
use crate::names;
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use prost::Message;
use std::mem;
use std::time::{Duration, SystemTime};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

/// Way in which a worker leaves a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// Its last event is in the log.
    Done,
    /// The log notes that the worker hands the job back, so that another worker takes it.
    HandedBack,
    /// Another worker has it, or will get it.
    Lost,
}

/// Pause after the engine did not answer.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

/// Another writer wrote to the log, and this one must stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("another worker has taken over the run")]
pub struct Fenced;

/// State of a run after the last entry of its log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// The position of the last entry in the stream; 0 if the log is empty.
    pub position: u64,
    /// The number of the last event; 0 if there is no event.
    pub number: u64,
    /// The number of the current attempt; 0 before the first.
    pub attempt: u32,
    /// Number of attempts that lost no worker: their workers handed them back, or could not renew
    /// their leases in an outage of the engine.
    pub handed_back: u32,
    /// Whether the last attempt was handed back, and no new one has begun.
    pub was_handed_back: bool,
    /// Whether the run has ended.
    pub has_ended: bool,
    /// The worker that wrote the last entry; empty if a gateway wrote it.
    pub worker: String,
    /// The number of the job that counts; 0 if it is that of the first event.
    pub job_sequence: u64,
    claim: String,
}

/// A writer of a log, which appends after the last entry that it saw.
pub struct RunLog {
    fleet: Fleet,
    run_id: String,
    /// Unique identifier of this writer. The claim of each append is this, a dot and the append's
    /// number.
    claim: String,
    /// Number of appends so far, including those that were dropped.
    appends: u64,
    worker: String,
    /// The number of the worker's job; 0 for a gateway.
    job_sequence: u64,
    standing: Standing,
}

/// Claim of a writer to be the last one of a log.
pub(crate) struct Authorship {
    fleet: Fleet,
    run_id: String,
    claim: String,
}

/// Entry to be appended.
enum Entry {
    /// Events, at least one; the first of a run has the origin of the run. Their numbers are set on
    /// each attempt to store them.
    Events(Vec<v1::Event>, Option<Box<Origin>>),
    /// The note that the worker hands the attempt back.
    HandedBack,
    /// The note that somebody deleted the run.
    Deleted,
    /// The note that the run, which no worker has begun, waits in the pool of this origin.
    Moved(Box<Origin>),
}

/// Result of publishing a message.
enum Published {
    /// The message is stored at this position.
    Stored(u64),
    /// An earlier append of this writer, whose future was dropped, was stored first.
    Behind(Standing),
}

impl RunLog {
    /// Makes a writer that appends after the last entry of the log.
    pub async fn open(fleet: &Fleet, run_id: &str, worker: &str) -> Result<Self, FleetError> {
        let standing = look(fleet, run_id).await?;
        Ok(Self {
            fleet: fleet.clone(),
            run_id: run_id.to_owned(),
            claim: Uuid::now_v7().to_string(),
            appends: 0,
            worker: worker.to_owned(),
            job_sequence: 0,
            standing,
        })
    }

    /// Makes every entry of this writer name the job of its worker.
    #[must_use]
    pub(crate) fn for_job(self, job_sequence: u64) -> Self {
        Self { job_sequence, ..self }
    }

    /// Returns the state of the log that the writer saw last, including its own events.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Whether a worker has begun the run, and left it without a word.
    pub(crate) fn is_left(&self) -> bool {
        let Standing { attempt, was_handed_back, has_ended, .. } = self.standing;
        attempt > 0 && !was_handed_back && !has_ended
    }

    /// Makes the next entry say that the last attempt lost no worker.
    pub(crate) fn excuse(&mut self) {
        self.standing.handed_back += 1;
    }

    /// Appends an event with the next number. Returns once it is stored, however long the engine is
    /// unreachable. If the future is dropped earlier, the event may or may not be stored, and the
    /// next append takes account of that.
    pub fn append(&mut self, kind: Kind) -> impl Future<Output = Result<(), Fenced>> + Send {
        let event = self.event(kind);
        self.write(Entry::Events(vec![event], None))
    }

    /// Appends events as [`append`](Self::append) does, as many in an entry as have room. Only
    /// their times and kinds count. Gateways of an earlier version do not read such entries.
    pub async fn append_all(&mut self, events: Vec<v1::Event>) -> Result<(), Fenced> {
        let (mut shared, mut bytes) = (Vec::new(), 0);
        for event in events {
            let length = event.encoded_len();
            if bytes + length > MAX_INLINE_BYTES && !shared.is_empty() {
                self.write(Entry::Events(mem::take(&mut shared), None)).await?;
                bytes = 0;
            }
            bytes += length;
            shared.push(v1::Event { run_id: self.run_id.clone(), ..event });
        }
        if shared.is_empty() { Ok(()) } else { self.write(Entry::Events(shared, None)).await }
    }

    /// Appends the first event, and fails if the log already has it.
    pub async fn accept(&mut self, queue_position: u32, origin: Origin) -> Result<(), Fenced> {
        let accepted = self.event(Kind::Accepted(v1::Accepted { queue_position }));
        self.write(Entry::Events(vec![accepted], Some(Box::new(origin)))).await
    }

    /// Notes that the worker, which no longer measures, hands the attempt back. If the engine does
    /// not answer soon, the attempt counts as lost: the worker then must not give the job away,
    /// because another one may already have it.
    #[must_use]
    pub async fn hand_back(&mut self) -> Settlement {
        let noted = timeout(ANSWER_TIMEOUT, self.write(Entry::HandedBack)).await;
        tracing::debug!(target: "Profiler", run_id = self.run_id, ?noted, "handed back");
        if matches!(noted, Ok(Ok(()))) { Settlement::HandedBack } else { Settlement::Lost }
    }

    /// Returns what tells, at any time, whether another writer has written to the log.
    pub(crate) fn authorship(&self) -> Authorship {
        let (fleet, run_id) = (self.fleet.clone(), self.run_id.clone());
        Authorship { fleet, run_id, claim: self.claim.clone() }
    }

    /// Notes that the run, which has ended, is deleted.
    pub(crate) async fn delete(&mut self) -> Result<(), Fenced> {
        self.write(Entry::Deleted).await
    }

    /// Notes that the run, which no worker has begun, waits in another pool.
    pub(crate) async fn moved(&mut self, origin: Origin) -> Result<(), Fenced> {
        self.write(Entry::Moved(Box::new(origin))).await
    }

    fn event(&self, kind: Kind) -> v1::Event {
        v1::Event {
            run_id: self.run_id.clone(),
            sequence: 0,
            time: Some(SystemTime::now().into()),
            kind: Some(kind),
        }
    }

    async fn write(&mut self, mut entry: Entry) -> Result<(), Fenced> {
        loop {
            if !entry.may_follow(&self.standing) {
                return Err(Fenced);
            }
            self.appends += 1;
            let claim = format!("{}.{}", self.claim, self.appends);
            let name = format!("{}.{claim}", self.run_id);
            let mut logged = entry.after(&self.standing);
            if self.job_sequence > 0 {
                logged.job_sequence = self.job_sequence;
            }
            if let Entry::Events(events, _) = &mut entry {
                for (event, number) in events.iter_mut().zip(self.standing.number + 1..) {
                    event.sequence = number;
                    let body = self.body(event).await;
                    match logged.event {
                        None => logged.event = Some(body),
                        Some(_) => logged.more.push(body),
                    }
                }
            }
            (logged.claim, logged.worker) = (claim.clone(), self.worker.clone());
            match self.publish(&name, &claim, logged.encode_to_vec().into()).await? {
                Published::Behind(own) => self.standing = own,
                Published::Stored(position) => {
                    self.standing = Standing::of(position, logged);
                    return Ok(());
                }
            }
        }
    }

    async fn body(&self, event: &v1::Event) -> Body {
        let event = event.encode_to_vec();
        loop {
            match self.fleet.body(&event).await {
                Ok(body) => return body,
                Err(error) => self.pause(&error).await,
            }
        }
    }

    /// Publishes the message until it, or an earlier message of this writer, is stored.
    async fn publish(
        &self,
        name: &str,
        claim: &str,
        message: bytes::Bytes,
    ) -> Result<Published, Fenced> {
        loop {
            let (name, after) = (Some(name.to_owned()), Some(self.standing.position));
            let put = Put { payload: message.clone(), name, after };
            // A duplicate has the same ID, so it is the same message.
            let refused = match self.fleet.engine.store(names::log(&self.run_id), put).await {
                Ok(position) => return Ok(Published::Stored(position)),
                Err(refused) => refused,
            };
            // The append was refused, or its answer was lost. The log decides.
            loop {
                match look(&self.fleet, &self.run_id).await {
                    Ok(found) if found.claim == claim => {
                        return Ok(Published::Stored(found.position));
                    }
                    Ok(found) if found.position == self.standing.position => break,
                    Ok(found) if found.is_of(&self.claim) => return Ok(Published::Behind(found)),
                    Ok(_) => return Err(Fenced),
                    Err(error) => self.pause(&error).await,
                }
            }
            self.pause(&refused).await;
        }
    }

    async fn pause(&self, cause: &(dyn std::fmt::Display + Sync)) {
        tracing::debug!(target: "Profiler", run_id = self.run_id, %cause, "the engine did not answer");
        sleep(RETRY_PAUSE).await;
    }
}

impl Authorship {
    /// Reads whether this writer wrote the last entry.
    pub(crate) async fn is_last(&self) -> Result<bool, FleetError> {
        Ok(look(&self.fleet, &self.run_id).await?.is_of(&self.claim))
    }
}

impl Entry {
    /// Whether the entry may follow the last one of the log.
    fn may_follow(&self, standing: &Standing) -> bool {
        match self {
            Self::Events(_, Some(_)) => standing.position == 0,
            Self::Events(_, None) | Self::HandedBack => !standing.has_ended,
            // The engine forgets old logs, while a gateway can still have the run.
            Self::Deleted => standing.has_ended || standing.position == 0,
            Self::Moved(_) => standing.position > 0 && standing.attempt == 0 && !standing.has_ended,
        }
    }

    /// Builds the record that follows `standing` in the log. The caller fills in the bytes of the
    /// events, the claim and the worker.
    fn after(&self, standing: &Standing) -> Logged {
        let mut logged = Logged {
            number: standing.number,
            attempt: standing.attempt,
            is_last: standing.has_ended,
            handed_back: standing.handed_back,
            job_sequence: standing.job_sequence,
            ..Logged::default()
        };
        match self {
            Self::Events(events, origin) => {
                logged.number += events.len() as u64;
                logged.origin = origin.as_deref().cloned();
                for event in events {
                    match &event.kind {
                        Some(Kind::Started(started)) => logged.attempt = started.attempt,
                        Some(Kind::Restarted(restarted)) => logged.attempt = restarted.attempt,
                        Some(kind) if kind.is_last() => logged.is_last = true,
                        _ => {}
                    }
                }
            }
            Self::HandedBack => logged.handed_back += 1,
            Self::Deleted => (logged.is_deleted, logged.is_last) = (true, true),
            Self::Moved(origin) => {
                logged.job_sequence = origin.job_sequence;
                logged.origin = Some(Origin::clone(origin));
            }
        }
        logged
    }
}

impl Standing {
    /// Whether the writer with this identifier wrote the last entry.
    fn is_of(&self, writer: &str) -> bool {
        self.claim.strip_prefix(writer).is_some_and(|rest| rest.starts_with('.'))
    }

    fn of(position: u64, logged: Logged) -> Self {
        Self {
            position,
            number: logged.number,
            attempt: logged.attempt,
            handed_back: logged.handed_back,
            was_handed_back: logged.event.is_none()
                && logged.origin.is_none()
                && !logged.is_deleted,
            has_ended: logged.is_last,
            worker: logged.worker,
            job_sequence: logged.job_sequence,
            claim: logged.claim,
        }
    }
}

/// Reads the last entry of a log from the leader. After a broken entry, the log stands where it did
/// before, so that its run goes on.
pub(crate) async fn look(fleet: &Fleet, run_id: &str) -> Result<Standing, FleetError> {
    let Some((position, message)) = last_of(fleet, &names::log(run_id)).await? else {
        return Ok(Standing::default());
    };
    if let Ok(logged) = whole(message) {
        return Ok(Standing::of(position, logged));
    }
    let entries = fleet.entries_of(run_id).await?.into_iter().rev();
    let before = entries.filter(|(at, _)| *at < position).find_map(|(_, it)| whole(it).ok());
    Ok(Standing { position, ..before.map(|it| Standing::of(position, it)).unwrap_or_default() })
}

/// Decodes an entry. Every entry has the claim of its writer, so one without a claim is broken.
pub(crate) fn whole(message: bytes::Bytes) -> Result<Logged, FleetError> {
    let broken = |what: String| FleetError::for_good("read a log", what);
    let logged = Logged::decode(message).map_err(|error| broken(error.to_string()))?;
    if logged.claim.is_empty() {
        return Err(broken("an entry names no writer".into()));
    }
    Ok(logged)
}

/// Reads the last message of a subject of the stream of logs from the leader, with its position.
pub(crate) async fn last_of(
    fleet: &Fleet,
    subject: &str,
) -> Result<Option<(u64, bytes::Bytes)>, FleetError> {
    let last = fleet.engine.last(StreamName::Logs, subject).await;
    Ok(last.map_err(FleetError::when("read a log"))?.map(|it| (it.position, it.payload)))
}
