//! Somebody who watches a run: a cursor into what is stored of it. A watcher holds nothing that grows,
//! so one that does not read costs what its connection holds for it, and is cut off.

use crate::deadline::Deadline;
use crate::record::Progress;
use crate::runs::Attached;
use crate::status::Refusal;
use crate::store::Store;
use crate::wire;
use futures::Stream;
use profiler_core::error::ErrorCode;
use profiler_proto::v1::{self, event::Kind};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot, watch};
use tokio::time::sleep;

/// A stream on which nothing happens says so this often.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// A watcher that takes nothing for so long is cut off.
pub(crate) const SLOW_LIMIT: Duration = Duration::from_secs(30);
/// Events that are read from the store at a time.
const PAGE: u32 = 16;

/// A call's way through the events of a run.
pub(crate) struct Watch {
    attached: Attached,
    store: Store,
    deadline: Deadline,
    /// The number of the last event that was handed out.
    seen: u64,
    /// Read and not yet handed out.
    page: VecDeque<v1::Event>,
    /// Whether the run was live when the call came.
    was_live: bool,
    /// Whether it ended with the server meanwhile.
    interrupted: bool,
    over: bool,
    /// One of those that there are for all watches.
    _permit: Option<OwnedSemaphorePermit>,
}

type Item = Result<v1::Event, Refusal>;

impl Watch {
    /// A watch of the events after number `seen`.
    pub(crate) fn new(attached: Attached, store: Store, deadline: Deadline, seen: u64) -> Self {
        let was_live = !matches!(*attached.progress.borrow(), Progress::Ended(_));
        let (page, interrupted, over) = (VecDeque::new(), false, false);
        Self { attached, store, deadline, seen, page, was_live, interrupted, over, _permit: None }
    }

    /// The same, with `permit` until it is over.
    #[must_use]
    pub(crate) fn with(self, permit: OwnedSemaphorePermit) -> Self {
        Self { _permit: Some(permit), ..self }
    }

    /// Goes on to the last event alone. A run that ended with the server is a refusal.
    pub(crate) async fn ending(&mut self) -> Item {
        loop {
            let last = match *self.attached.progress.borrow_and_update() {
                Progress::Ended(last) => Some(last),
                Progress::Stored(_) => None,
                Progress::Failing => return Err(Refusal::StoreFailed),
            };
            if let Some(last) = last {
                self.seen = last.saturating_sub(1);
                let event = self.next().await.unwrap_or(Err(Refusal::LostRun));
                return if self.interrupted { Err(Refusal::ShuttingDown) } else { event };
            }
            tokio::select! {
                changed = self.attached.progress.changed() => {
                    changed.map_err(|_| Refusal::LostRun)?;
                }
                () = self.deadline.passed() => return Err(self.past_deadline()),
            }
        }
    }

    /// The next event or sign of life; a refusal is the end.
    pub(crate) async fn next(&mut self) -> Option<Item> {
        if self.over {
            return None;
        }
        let item = match self.page.pop_front() {
            Some(event) => Ok(event),
            None => self.wait().await?,
        };
        match &item {
            Ok(event) => self.pass(event),
            Err(_) => self.over = true,
        }
        Some(item)
    }

    fn pass(&mut self, event: &v1::Event) {
        self.seen = event.sequence;
        match &event.kind {
            Some(Kind::Finished(_)) => self.over = true,
            // Whoever watches while the server ends is told that by a status behind the event.
            Some(Kind::Failed(error)) => {
                self.interrupted = self.was_live && error.code == ErrorCode::Interrupted.as_str();
                self.over = !self.interrupted;
            }
            _ => {}
        }
    }

    /// What comes when everything that was read has been handed out; `None` behind the last event.
    async fn wait(&mut self) -> Option<Item> {
        loop {
            let (stored, ended) = match *self.attached.progress.borrow_and_update() {
                Progress::Stored(stored) => (stored, false),
                Progress::Ended(last) => (last, true),
                Progress::Failing => return Some(Err(Refusal::StoreFailed)),
            };
            if stored > self.seen {
                let run_id = &self.attached.run_id;
                match self.store.events(run_id, self.seen, PAGE).await {
                    Ok(page) => self.page.extend(page),
                    Err(fault) => return Some(Err(fault.into())),
                }
                // It was let go meanwhile.
                let unknown = || Refusal::UnknownRun(self.attached.run_id.clone());
                return Some(self.page.pop_front().ok_or_else(unknown));
            }
            if ended {
                return self.interrupted.then_some(Err(Refusal::ShuttingDown));
            }
            tokio::select! {
                changed = self.attached.progress.changed() => if changed.is_err() {
                    return Some(Err(Refusal::LostRun));
                },
                // A place that changes before the run has said anything is news to nobody.
                () = moved(&mut self.attached.place), if stored > 0 => {
                    return Some(Ok(self.heartbeat()));
                }
                () = sleep(HEARTBEAT) => return Some(Ok(self.heartbeat())),
                () = self.deadline.passed() => return Some(Err(self.past_deadline())),
            }
        }
    }

    /// Lets the run go, and says why.
    fn past_deadline(&mut self) -> Refusal {
        if let Some(mut hold) = self.attached.hold.take() {
            hold.past_deadline();
        }
        Refusal::Deadline
    }

    fn heartbeat(&self) -> v1::Event {
        wire::heartbeat(&self.attached.run_id, self.seen, *self.attached.place.borrow())
    }

    /// The events as a stream that does not wait for a reader longer than [`SLOW_LIMIT`].
    pub(crate) fn stream(self) -> impl Stream<Item = Item> + Send {
        let (to, from) = mpsc::channel(1);
        let (cut, was_cut) = oneshot::channel();
        tokio::spawn(self.pump(to, cut));
        futures::stream::unfold((from, was_cut), async |(mut from, mut was_cut)| {
            let next = match from.recv().await {
                Some(item) => item,
                None => Err(was_cut.try_recv().ok()?),
            };
            Some((next, (from, was_cut)))
        })
    }

    async fn pump(mut self, to: mpsc::Sender<Item>, cut: oneshot::Sender<Refusal>) {
        loop {
            let next = tokio::select! {
                next = self.next() => next,
                // The caller is gone.
                () = to.closed() => return,
            };
            let Some(item) = next else { return };
            let refusal = tokio::select! {
                sent = to.send(item) => match sent {
                    Ok(()) => continue,
                    Err(_) => return,
                },
                () = sleep(SLOW_LIMIT) => Refusal::SlowWatcher,
                () = self.deadline.passed() => self.past_deadline(),
            };
            // A caller that is gone needs no reason.
            let _ = cut.send(refusal);
            return;
        }
    }
}

/// Returns when a run that waits has another place.
async fn moved(place: &mut watch::Receiver<u32>) {
    if place.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests;
