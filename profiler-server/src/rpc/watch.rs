//! A watch: a cursor over the stored events of a run. A call can start it after any event.
//!
//! A watch holds at most one page of events, for which it has room until they are sent. A watcher
//! that does not read is disconnected.

use super::deadline::Deadline;
use super::limits::{SLOW_WATCHER_LIMIT, UNSENT_EVENTS_MIB};
use super::message_limit::unsent::Unsent;
use super::status::CallError;
use crate::permits::Permit;
use crate::runs::{Attachment, Progress, Refusal};
use crate::store::Store;
use futures::Stream;
use profiler_proto::v1::{self, ErrorCode, event::Kind};
use profiler_wire as wire;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::sleep;

mod places;

pub(crate) use places::{Place, Watches};

/// Maximum number of runs ahead of a run whose stream reports each change of its position. Farther
/// back, the heartbeats report it, so that the end of one run does not cost a message to each of
/// thousands of callers.
const NEAR: u32 = 16;
/// Interval between heartbeats on a stream without events.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(5);
/// Number of events that are read from the store at a time.
const PAGE_EVENTS: u32 = 16;
/// Maximum number of bytes of the events that are read at a time, as they are stored, unless the
/// first has more.
const PAGE_BYTES: usize = 64 << 10;

/// A cursor over the events of a run.
pub(crate) struct Watch {
    attachment: Attachment,
    store: Store,
    deadline: Deadline,
    /// The number of the last returned event.
    seen: u64,
    /// Events that were read and not yet returned.
    page: VecDeque<v1::Event>,
    /// Whether the run was live here when the watch began.
    was_live: bool,
    /// Whether the run was interrupted during the watch.
    is_interrupted: bool,
    is_over: bool,
    /// The place of the caller among those that watch.
    place: Option<Place>,
    /// The room of the page.
    room: Option<Arc<Permit>>,
    /// The room of what the call has not sent.
    unsent: Unsent,
}

type Item = Result<v1::Event, CallError>;

impl Watch {
    /// Creates a watch of the events after event `seen`.
    pub(crate) fn new(attachment: Attachment, store: Store, deadline: Deadline, seen: u64) -> Self {
        let is_live = !matches!(*attachment.progress.borrow(), Progress::Ended(_));
        let was_live = is_live && attachment.ends_with_server;
        Self {
            attachment,
            store,
            deadline,
            seen,
            page: VecDeque::new(),
            was_live,
            is_interrupted: false,
            is_over: false,
            place: None,
            room: None,
            unsent: Unsent::default(),
        }
    }

    /// Makes the watch hold `place` until it is dropped, and keep the room of its events in
    /// `unsent` until they are sent.
    #[must_use]
    pub(crate) fn with_place(self, place: Place, unsent: Unsent) -> Self {
        Self { place: Some(place), unsent, ..self }
    }

    /// Waits for the last event. An interruption during the watch is an error.
    pub(crate) async fn last_event(mut self) -> Item {
        // No other event is read, because nobody watches the deadline during a read.
        let mut progress = self.attachment.progress.clone();
        tokio::select! {
            now = progress.wait_for(|now| !matches!(now, Progress::Stored(_))) => {
                // `next` reports every other outcome.
                if let Ok(Progress::Ended(last)) = now.map(|now| *now) {
                    self.seen = last.saturating_sub(1);
                }
            }
            () = self.deadline.passed() => return Err(self.deadline_passed()),
        }
        let mut last = Err(CallError::LostRun);
        while let Some(item) = self.next().await {
            last = Ok(item?);
        }
        if let Some(room) = self.room.take() {
            self.unsent.hold(room);
        }
        last
    }

    /// Returns the next event or heartbeat. Nothing follows an error.
    pub(crate) async fn next(&mut self) -> Option<Item> {
        if self.is_over {
            return None;
        }
        let item = match self.page.pop_front() {
            Some(event) => Ok(event),
            None => self.wait().await?,
        };
        match &item {
            Ok(event) => self.advance(event),
            Err(_) => self.is_over = true,
        }
        Some(item)
    }

    fn advance(&mut self, event: &v1::Event) {
        self.seen = event.sequence;
        match &event.kind {
            Some(Kind::Finished(_)) => self.is_over = true,
            // After an interruption during the watch, a status follows the last event.
            Some(Kind::Failed(error)) => {
                let is_interrupted = error.code() == ErrorCode::Interrupted;
                self.is_interrupted = self.was_live && is_interrupted;
                self.is_over = !self.is_interrupted;
            }
            _ => {}
        }
    }

    /// Waits for the next item when the page is empty; `None` after the last event.
    async fn wait(&mut self) -> Option<Item> {
        loop {
            let (stored, has_ended) = match *self.attachment.progress.borrow_and_update() {
                Progress::Stored(stored) => (stored, false),
                Progress::Ended(last) => (last, true),
                Progress::Left => return Some(Err(Refusal::ShuttingDown.into())),
                Progress::StoreFailing => return Some(Err(Refusal::StoreFailed.into())),
            };
            if stored > self.seen {
                return Some(self.read_page().await);
            }
            if has_ended {
                return self.is_interrupted.then(|| Err(Refusal::ShuttingDown.into()));
            }
            tokio::select! {
                changed = self.attachment.progress.changed() => if changed.is_err() {
                    return Some(Err(CallError::LostRun));
                },
                // The first event names the position, so no heartbeat is needed before it.
                () = position_changed(&mut self.attachment.queue_position), if stored > 0 => {
                    return Some(Ok(self.heartbeat()));
                }
                () = sleep(HEARTBEAT_INTERVAL) => return Some(Ok(self.heartbeat())),
                () = self.deadline.passed() => return Some(Err(self.deadline_passed())),
            }
        }
    }

    /// Reads the next page and takes its first event.
    async fn read_page(&mut self) -> Item {
        // Watches that kept room while they wait for more could wait for each other.
        self.room = None;
        if let Some(place) = &self.place {
            self.room = Some(tokio::select! {
                room = place.room(UNSENT_EVENTS_MIB) => room?,
                () = self.deadline.passed() => return Err(self.deadline_passed()),
            });
        }
        let run_id = &self.attachment.run_id;
        let most = (PAGE_EVENTS, PAGE_BYTES);
        self.page.extend(self.store.page(run_id, self.seen, most).await?);
        // Retention may have deleted the run in the meantime.
        let deleted = || Refusal::UnknownRun(run_id.clone());
        Ok(self.page.pop_front().ok_or_else(deleted)?)
    }

    /// Releases the run because the deadline of the call has passed.
    fn deadline_passed(&mut self) -> CallError {
        if let Some(mut hold) = self.attachment.hold.take() {
            hold.deadline_passed();
        }
        CallError::Deadline
    }

    fn heartbeat(&self) -> v1::Event {
        let queue_position = *self.attachment.queue_position.borrow();
        wire::heartbeat(&self.attachment.run_id, self.seen, queue_position)
    }

    /// Returns the events as a stream. It ends when its reader takes nothing for
    /// [`SLOW_WATCHER_LIMIT`].
    pub(crate) fn into_stream(self) -> impl Stream<Item = Item> + Send {
        let (items, receiver) = mpsc::channel(1);
        let (abort, aborted) = oneshot::channel();
        let unsent = self.unsent.clone();
        tokio::spawn(self.send_all(items, abort));
        let all = (receiver, aborted, unsent);
        futures::stream::unfold(all, async |(mut receiver, mut aborted, unsent)| {
            let next = match receiver.recv().await {
                Some((item, room)) => {
                    if let Some(room) = room {
                        unsent.hold(room);
                    }
                    item
                }
                None => Err(aborted.try_recv().ok()?),
            };
            Some((next, (receiver, aborted, unsent)))
        })
    }

    /// Sends every item, with its room. The error for a slow reader goes through `abort`, because
    /// `items` is full then.
    async fn send_all(
        mut self,
        items: mpsc::Sender<(Item, Option<Arc<Permit>>)>,
        abort: oneshot::Sender<CallError>,
    ) {
        loop {
            let next = tokio::select! {
                next = self.next() => next,
                // The caller is gone.
                () = items.closed() => return,
            };
            let Some(item) = next else { return };
            let room = if self.page.is_empty() { self.room.take() } else { self.room.clone() };
            let error = tokio::select! {
                sent = items.send((item, room)) => match sent {
                    Ok(()) => continue,
                    Err(_) => return,
                },
                () = sleep(SLOW_WATCHER_LIMIT) => CallError::SlowWatcher,
                () = self.deadline.passed() => self.deadline_passed(),
            };
            // A caller that is gone needs no error.
            let _ = abort.send(error);
            return;
        }
    }
}

/// Waits until the position of a waiting run has changed, and is near the first.
async fn position_changed(position: &mut watch::Receiver<u32>) {
    while position.changed().await.is_ok() {
        if *position.borrow_and_update() <= NEAR {
            return;
        }
    }
    std::future::pending::<()>().await;
}

#[cfg(test)]
mod tests;
