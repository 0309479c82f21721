//! The fair queue: which runs run, which wait, and in which order. Callers take turns.
//!
//! All live runs are in one queue. The first `concurrency` of them run; the others wait, at most
//! `max_queued` of them. The queue position of a waiting run is the number of runs ahead of it,
//! given the estimated lengths of runs. The position 0 means that it is the run's turn.
//!
//! [`Turns`] orders the waiting runs by the seconds that their callers have had. When a turn ends,
//! its caller is charged for the time since the turn began, in which no other run could have the
//! place.

use super::hour::Hour;
use super::refusal::Refusal;
use crate::config::Quota;
use profiler_turns::Turns;
use tokio::sync::watch;
use tokio::time::Instant;

/// Maximum size of the sources and inputs of all live runs together, in bytes. A single run can
/// always hold as much as one job is allowed to have.
const MAX_BYTES: usize = 256 << 20;

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
    /// Time at which the run's turn came.
    started: Option<Instant>,
}

/// A position in the queue that no run has taken yet.
#[derive(Debug)]
pub(super) struct Reservation {
    caller: String,
    bytes: usize,
    queue_position: watch::Sender<u32>,
}

impl Reservation {
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

    /// Reserves a position for one more run of `caller` that holds `bytes`. The last position is
    /// only for a caller without a waiting run, so that no caller can lock the others out.
    pub(super) fn reserve(&mut self, caller: &str, bytes: usize) -> Result<Reservation, Refusal> {
        let live = self.running.iter().chain(&self.waiting);
        let held: usize = live.map(|entry| entry.reservation.bytes).sum();
        let is_too_heavy = !self.is_empty() && held + bytes > MAX_BYTES;
        let taken = self.running.len() + self.waiting.len();
        let free = (self.concurrency + self.max_queued).saturating_sub(taken);
        let is_last = free == 1 && !self.waiting.is_empty();
        let own = |entries: &[Entry<Run>]| {
            entries.iter().filter(|entry| entry.reservation.caller == caller).count()
        };
        let (own_running, own_waiting) = (own(&self.running), own(&self.waiting));
        if free == 0 || is_too_heavy || (is_last && own_waiting > 0) {
            let waiting = self.waiting.len();
            return Err(Refusal::QueueFull { waiting, most: self.max_queued });
        }
        let waits = self.running.len() >= self.concurrency;
        // A run that starts at once takes no place among those that wait.
        let waiting = if waits { own_waiting } else { 0 };
        let running = self.running.iter().filter(|entry| entry.reservation.caller == caller);
        let started = running.filter_map(|entry| entry.started);
        self.hour.check(&self.quota, caller, own_running + own_waiting, waiting, started)?;
        let queue_position = watch::Sender::new(if waits { self.next_position(caller) } else { 0 });
        Ok(Reservation { caller: caller.to_owned(), bytes, queue_position })
    }

    /// Puts a run into its reserved position. Waiting runs may move back.
    pub(super) fn enter(&mut self, run: Run, reservation: Reservation) {
        self.turns.wait(&reservation.caller);
        self.waiting.push(Entry { run, reservation, number: self.entered, started: None });
        self.entered += 1;
        self.update();
    }

    /// Removes the first run that `matches`. The runs after it move up.
    pub(super) fn remove(&mut self, matches: impl Fn(&Run) -> bool) -> Option<Run> {
        let at = |entries: &[Entry<Run>]| entries.iter().position(|entry| matches(&entry.run));
        let removed = if let Some(index) = at(&self.running) {
            let removed = self.running.remove(index);
            let took = removed.started.map(|at| at.elapsed()).unwrap_or_default();
            self.turns.end(&removed.reservation.caller, took);
            if self.quota.hour_sec.is_some() {
                self.hour.add(&removed.reservation.caller, took);
            }
            removed
        } else {
            let removed = self.waiting.remove(at(&self.waiting)?);
            self.turns.leave(&removed.reservation.caller);
            removed
        };
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

    /// Starts the runs whose turn it is, orders the others, and publishes the changed positions.
    fn update(&mut self) {
        self.sort();
        while self.running.len() < self.concurrency && !self.waiting.is_empty() {
            let mut next = self.waiting.remove(0);
            self.turns.start(&next.reservation.caller);
            next.started = Some(Instant::now());
            self.running.push(next);
            self.sort();
        }
        let ahead = std::iter::repeat_n(0, self.running.len()).chain(self.running.len()..);
        for (entry, position) in self.running.iter().chain(&self.waiting).zip(ahead) {
            let now = u32::try_from(position).unwrap_or(u32::MAX);
            let changed = |position: &mut u32| std::mem::replace(position, now) != now;
            entry.reservation.queue_position.send_if_modified(changed);
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
mod tests {
    use super::*;
    use crate::runs::Taken;
    use std::time::Duration;

    const CALLER: &str = "a";

    fn queue(max_queued: usize) -> FairQueue<char> {
        FairQueue::new(1, max_queued, Quota::default())
    }

    fn enter(queue: &mut FairQueue<char>, caller: &str, run: char) -> watch::Receiver<u32> {
        let reservation = queue.reserve(caller, 0).unwrap();
        let position = reservation.queue_position();
        queue.enter(run, reservation);
        position
    }

    fn order(queue: &FairQueue<char>) -> String {
        queue.iter().collect()
    }

    #[test]
    fn first_runs_at_once() {
        assert_eq!(*enter(&mut queue(1), CALLER, 'a').borrow(), 0);
    }

    #[test]
    fn second_waits_for_one() {
        let mut queue = queue(1);
        enter(&mut queue, CALLER, 'a');
        assert_eq!(*enter(&mut queue, CALLER, 'b').borrow(), 1);
    }

    #[test]
    fn full_queue_refuses_and_says_how_many_wait() {
        let mut queue = queue(1);
        enter(&mut queue, CALLER, 'a');
        enter(&mut queue, CALLER, 'b');
        assert_eq!(queue.reserve("b", 0).unwrap_err(), Refusal::QueueFull { waiting: 1, most: 1 });
    }

    #[test]
    fn last_position_is_reserved_for_another_caller() {
        let mut queue = queue(2);
        enter(&mut queue, CALLER, 'a');
        enter(&mut queue, CALLER, 'b');
        assert_eq!(
            queue.reserve(CALLER, 0).unwrap_err(),
            Refusal::QueueFull { waiting: 1, most: 2 }
        );
        assert!(queue.reserve("b", 0).is_ok());
    }

    #[test]
    fn queue_can_be_full_of_bytes() {
        let mut queue = queue(9);
        let reservation = queue.reserve(CALLER, MAX_BYTES).unwrap();
        queue.enter('a', reservation);
        assert_eq!(queue.reserve("b", 1).unwrap_err(), Refusal::QueueFull { waiting: 0, most: 9 });
        assert!(queue.reserve("b", 0).is_ok());
    }

    #[test]
    fn first_to_come_moves_up_first() {
        let mut queue = queue(3);
        enter(&mut queue, CALLER, 'a');
        let positions = [enter(&mut queue, CALLER, 'b'), enter(&mut queue, CALLER, 'c')];
        queue.remove(|&run| run == 'a');
        assert_eq!(positions.map(|position| *position.borrow()), [0, 1]);
    }

    #[test]
    fn removed_run_makes_room() {
        let mut queue = queue(1);
        enter(&mut queue, CALLER, 'a');
        enter(&mut queue, CALLER, 'b');
        queue.remove(|&run| run == 'b');
        assert_eq!(*enter(&mut queue, CALLER, 'c').borrow(), 1);
    }

    #[test]
    fn callers_take_turns() {
        let mut queue = queue(9);
        "abcde".chars().for_each(|run| drop(enter(&mut queue, "many", run)));
        enter(&mut queue, "few", 'X');
        enter(&mut queue, "few", 'Y');
        assert_eq!(order(&queue), "aXbYcde");
    }

    #[test]
    fn overtaken_run_learns_its_new_position() {
        let mut queue = queue(9);
        let [_, _, third] = ['a', 'b', 'c'].map(|run| enter(&mut queue, "many", run));
        enter(&mut queue, "few", 'X');
        assert_eq!(*third.borrow(), 3);
    }

    #[test]
    fn caller_that_had_its_turn_queues_after_those_that_did_not() {
        let mut queue = queue(9);
        "abc".chars().for_each(|run| drop(enter(&mut queue, "many", run)));
        enter(&mut queue, "few", 'X');
        queue.remove(|&run| run == 'a');
        queue.remove(|&run| run == 'b');
        enter(&mut queue, "few", 'Y');
        assert_eq!(order(&queue), "XcY");
    }

    #[tokio::test(start_paused = true)]
    async fn caller_with_long_runs_waits_for_one_with_short_ones() {
        let mut queue = queue(9);
        "abc".chars().for_each(|run| drop(enter(&mut queue, "long", run)));
        "XYZ".chars().for_each(|run| drop(enter(&mut queue, "short", run)));
        tokio::time::advance(Duration::from_secs(10)).await;
        queue.remove(|&run| run == 'a');
        tokio::time::advance(Duration::from_secs(1)).await;
        queue.remove(|&run| run == 'X');
        assert_eq!(order(&queue), "YZbc");
    }

    fn limited(quota: Quota) -> FairQueue<char> {
        FairQueue::new(1, 9, quota)
    }

    #[test]
    fn caller_has_only_so_many_live_runs() {
        let mut queue = limited(Quota { live_runs: Some(2), ..Quota::default() });
        enter(&mut queue, CALLER, 'a');
        enter(&mut queue, CALLER, 'b');
        let refused = queue.reserve(CALLER, 0).unwrap_err();
        assert_eq!(refused, Refusal::Quota(Taken::LiveRuns(2)));
        assert!(queue.reserve("b", 0).is_ok());
        queue.remove(|&run| run == 'b');
        assert!(queue.reserve(CALLER, 0).is_ok());
    }

    #[test]
    fn caller_has_only_so_many_waiting_runs() {
        let mut queue = limited(Quota { queued_runs: Some(1), ..Quota::default() });
        enter(&mut queue, CALLER, 'a');
        enter(&mut queue, CALLER, 'b');
        let refused = queue.reserve(CALLER, 0).unwrap_err();
        assert_eq!(refused, Refusal::Quota(Taken::QueuedRuns(1)));
        assert!(queue.reserve("b", 0).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn caller_has_only_so_many_seconds_an_hour() {
        let mut queue = limited(Quota { hour_sec: Some(60.0), ..Quota::default() });
        enter(&mut queue, CALLER, 'a');
        tokio::time::advance(Duration::from_secs(59)).await;
        assert!(queue.reserve(CALLER, 0).is_ok());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(queue.reserve(CALLER, 0).is_err(), "what runs counts");
        queue.remove(|&run| run == 'a');
        let Err(Refusal::Quota(Taken::Hour { after, .. })) = queue.reserve(CALLER, 0) else {
            panic!("accepted")
        };
        assert!(queue.reserve("b", 0).is_ok());
        tokio::time::advance(after).await;
        assert!(queue.reserve(CALLER, 0).is_ok());
    }
}
