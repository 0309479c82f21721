//! The fair queue: which runs run, which wait, and in which order. Callers take turns.
//!
//! All live runs are in one queue. The first `concurrency` of them run; the others wait, at most
//! `max_queued` of them. The queue position of a waiting run is the number of runs ahead of it,
//! given the estimated lengths of runs. The position 0 means that it is the run's turn.
//!
//! While those whose turn it is are brief, brief runs may build ahead of their turns, at most
//! `concurrency` of them and in the order of the queue. The figures of other runs are wanted more
//! precisely, so nothing else happens beside them.
//!
//! The place of a brief run is free once it has been measured. Counts and analysis follow, while
//! the next brief run has the place.
//!
//! [`Turns`] orders the waiting runs by the seconds that their callers have had. When a turn ends,
//! its caller is charged for the time since the turn began. A run that built ahead and ends without
//! a turn, for example because its program does not compile, is charged for the time that it built.

use super::hour::Hour;
use super::refusal::Refusal;
use crate::config::Quota;
use profiler_turns::{Turns, takes_too_much};
use std::sync::{Arc, OnceLock};
use tokio::sync::watch;
use tokio::time::Instant;

/// Maximum size of all live runs together, in bytes. A single run can always hold as much as one
/// job is allowed to have.
const MAX_BYTES: usize = 256 << 20;
/// Size of a live run in addition to its sources and inputs, in bytes: its task, its channels and
/// the stream of its caller.
const RUN_BYTES: usize = 32 << 10;

#[derive(Debug)]
pub(super) struct FairQueue<Run> {
    concurrency: usize,
    max_queued: usize,
    quota: Quota,
    turns: Turns,
    hour: Hour,
    /// Number of runs that have entered the queue so far.
    entered: u64,
    /// The runs that run, in the order in which they started.
    running: Vec<Entry<Run>>,
    /// The waiting runs in the order of their turns.
    waiting: Vec<Entry<Run>>,
}

#[derive(Debug)]
struct Entry<Run> {
    run: Run,
    reservation: Reservation,
    /// Number of runs that entered the queue before this one.
    number: u64,
    /// Time at which the run could build ahead of its turn.
    built_ahead: Option<Instant>,
    /// Time at which the run's turn came.
    started: Option<Instant>,
    /// Whether the run has been measured, and so has passed its place on.
    is_measured: bool,
}

/// A position in the queue that no run has taken yet.
#[derive(Debug)]
pub(super) struct Reservation {
    caller: String,
    bytes: usize,
    is_brief: bool,
    queue_position: watch::Sender<u32>,
    may_build: watch::Sender<bool>,
    built: Arc<OnceLock<Instant>>,
}

impl Reservation {
    /// Returns the channel on which the run learns that it may build.
    pub(super) fn may_build(&self) -> watch::Receiver<bool> {
        self.may_build.subscribe()
    }

    /// Returns the cell for the time at which the run has built, which the run sets.
    pub(super) fn built(&self) -> Arc<OnceLock<Instant>> {
        self.built.clone()
    }

    /// Returns the channel on which the run learns its queue position.
    pub(super) fn queue_position(&self) -> watch::Receiver<u32> {
        self.queue_position.subscribe()
    }
}

impl<Run> FairQueue<Run> {
    pub(super) fn new(concurrency: usize, max_queued: usize, quota: Quota) -> Self {
        Self {
            concurrency,
            max_queued,
            quota,
            turns: Turns::default(),
            hour: Hour::default(),
            entered: 0,
            running: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Checks the next runs against another quota.
    pub(super) fn set_quota(&mut self, quota: Quota) {
        self.quota = quota;
    }

    /// Reserves a position for one more run of `caller`, whose sources and inputs have `bytes`. No
    /// caller takes so much of the positions and bytes that the others are locked out.
    pub(super) fn reserve(
        &mut self,
        caller: &str,
        bytes: usize,
        is_brief: bool,
    ) -> Result<Reservation, Refusal> {
        let bytes = bytes.saturating_add(RUN_BYTES);
        let live = || self.running.iter().chain(&self.waiting).map(|entry| &entry.reservation);
        let held: usize = live().map(|other| other.bytes).sum();
        let own_bytes: usize =
            live().filter(|other| other.caller == caller).map(|other| other.bytes).sum();
        let free_bytes = MAX_BYTES.saturating_sub(held);
        let is_too_heavy = bytes > free_bytes || takes_too_much(own_bytes, bytes, free_bytes);
        let taken = self.running.len() + self.waiting.len();
        let free = (self.concurrency + self.max_queued).saturating_sub(taken);
        let own = |entries: &[Entry<Run>]| {
            entries.iter().filter(|entry| entry.reservation.caller == caller).count()
        };
        let (own_running, own_waiting) = (own(&self.running), own(&self.waiting));
        let is_full = free == 0 || takes_too_much(own_waiting, 1, free);
        if is_full || (is_too_heavy && !self.is_empty()) {
            let waiting = self.waiting.len();
            return Err(Refusal::QueueFull { waiting, most: self.max_queued });
        }
        // A run that waits for a place of its own may be ahead of this one.
        let waits = !self.waiting.is_empty() || !self.has_place_for(is_brief);
        // A run that starts at once takes no place among those that wait.
        let waiting = if waits { own_waiting } else { 0 };
        let running = self.running.iter().filter(|entry| entry.reservation.caller == caller);
        let started = running.filter_map(|entry| entry.started);
        self.hour.check(&self.quota, caller, own_running + own_waiting, waiting, started)?;
        let queue_position = watch::Sender::new(if waits { self.next_position(caller) } else { 0 });
        let (may_build, built) = (watch::Sender::new(false), Arc::default());
        let caller = caller.to_owned();
        Ok(Reservation { caller, bytes, is_brief, queue_position, may_build, built })
    }

    /// Puts a run into its reserved position. Waiting runs may move back.
    pub(super) fn enter(&mut self, run: Run, reservation: Reservation) {
        self.turns.wait(&reservation.caller);
        let number = self.entered;
        self.waiting.push(Entry {
            run,
            reservation,
            number,
            built_ahead: None,
            started: None,
            is_measured: false,
        });
        self.entered += 1;
        self.update();
    }

    /// Frees the place of the brief run that `matches`, because it has been measured. It runs on,
    /// at its caller's expense, while the next brief run has its turn.
    pub(super) fn pass_on(&mut self, matches: impl Fn(&Run) -> bool) {
        let mut brief = self.running.iter_mut().filter(|entry| entry.reservation.is_brief);
        if let Some(entry) = brief.find(|entry| matches(&entry.run)) {
            entry.is_measured = true;
            self.update();
        }
    }

    /// Whether one more run may have its turn. A measured run that goes on takes no place, but the
    /// queue runs at most twice `concurrency` runs. A run that is not brief starts beside no
    /// measured run if that would exceed `concurrency`.
    fn has_place_for(&self, is_brief: bool) -> bool {
        let measuring = self.running.iter().filter(|entry| !entry.is_measured).count();
        let most = if is_brief { 2 * self.concurrency } else { self.concurrency };
        measuring < self.concurrency && self.running.len() < most
    }

    /// Removes the first run that `matches`. The runs after it move up.
    pub(super) fn remove(&mut self, matches: impl Fn(&Run) -> bool) -> Option<Run> {
        let at = |entries: &[Entry<Run>]| entries.iter().position(|entry| matches(&entry.run));
        let removed = match at(&self.running) {
            Some(index) => self.running.remove(index),
            None => self.waiting.remove(at(&self.waiting)?),
        };
        let caller = &removed.reservation.caller;
        let turn = removed.started.map(|at| at.elapsed());
        let built = removed.reservation.built.get().copied().unwrap_or_else(Instant::now);
        let ahead = removed.built_ahead.map(|at| built.saturating_duration_since(at));
        if turn.is_none() && ahead.is_some() {
            self.turns.start(caller);
        }
        match turn.or(ahead) {
            Some(took) => {
                self.turns.end(caller, took);
                if self.quota.hour_sec.is_some() {
                    self.hour.add(caller, took);
                }
            }
            None => self.turns.leave(caller),
        }
        self.update();
        Some(removed.run)
    }

    /// Returns the live runs in the order of the queue.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Run> {
        self.running.iter().chain(&self.waiting).map(|entry| &entry.run)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty() && self.waiting.is_empty()
    }

    /// Starts the runs whose turn it is, orders the others, and tells the runs what has changed.
    fn update(&mut self) {
        self.sort();
        while self.waiting.first().is_some_and(|next| self.has_place_for(next.reservation.is_brief))
        {
            let mut next = self.waiting.remove(0);
            self.turns.start(&next.reservation.caller);
            next.started = Some(Instant::now());
            self.running.push(next);
            self.sort();
        }
        self.build_ahead();
        let ahead = std::iter::repeat_n(0, self.running.len()).chain(self.running.len()..);
        for (entry, position) in self.running.iter().chain(&self.waiting).zip(ahead) {
            let now = u32::try_from(position).unwrap_or(u32::MAX);
            let changed = |position: &mut u32| std::mem::replace(position, now) != now;
            entry.reservation.queue_position.send_if_modified(changed);
            // Last, so that a run that may build knows whether its turn has come.
            if entry.started.or(entry.built_ahead).is_some() {
                entry.reservation.may_build.send_replace(true);
            }
        }
    }

    /// Lets the next brief runs build, if those whose turn it is are brief.
    fn build_ahead(&mut self) {
        if self.running.iter().any(|entry| !entry.reservation.is_brief) {
            return;
        }
        let ahead = self.waiting.iter().filter(|entry| entry.built_ahead.is_some()).count();
        let brief = self.waiting.iter_mut().take_while(|entry| entry.reservation.is_brief);
        let next = brief.filter(|entry| entry.built_ahead.is_none());
        for entry in next.take(self.concurrency.saturating_sub(ahead)) {
            entry.built_ahead = Some(Instant::now());
        }
    }

    fn sort(&mut self) {
        self.waiting.sort_unstable_by_key(|entry| entry.number);
        let callers: Vec<_> =
            self.waiting.iter().map(|entry| entry.reservation.caller.as_str()).collect();
        let order = self.turns.order(&callers);
        let mut unordered: Vec<_> = self.waiting.drain(..).map(Some).collect();
        self.waiting.extend(order.into_iter().filter_map(|at| unordered[at].take()));
    }

    /// Returns the position of one more run of `caller` that has to wait.
    fn next_position(&self, caller: &str) -> u32 {
        let mut waiting: Vec<_> = self.waiting.iter().collect();
        waiting.sort_unstable_by_key(|entry| entry.number);
        let callers: Vec<_> =
            waiting.iter().map(|entry| entry.reservation.caller.as_str()).chain([caller]).collect();
        let order = self.turns.order(&callers);
        let ahead = order.iter().take_while(|at| **at < waiting.len()).count();
        u32::try_from(self.running.len() + ahead).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests;
