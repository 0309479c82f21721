//! The fair queue: which runs run, which wait, and in which order. Callers take turns.
//!
//! All live runs are in one queue. The first `concurrency` of them run; the others wait, at most
//! `max_queued` of them. The queue position of a waiting run is the number of runs ahead of it. The
//! position 0 means that it is the run's turn.
//!
//! The order is start-time fair queueing with runs of equal cost (Goyal, Vin and Cheng, 1996):
//! round = 1 + max(last round of this caller in the queue, greatest round of a started run).
//! So a caller with one waiting run never waits for the second run of another caller.

use super::refusal::Refusal;
use tokio::sync::watch;

/// Most bytes of sources and inputs that all live runs hold together. A single run may always hold
/// what one job is allowed to.
const MAX_BYTES: usize = 256 << 20;

/// The queue of live runs.
#[derive(Debug)]
pub(super) struct FairQueue<Run> {
    concurrency: usize,
    max_queued: usize,
    /// The greatest round of a run that has started.
    round: u64,
    /// The runs that run, then the waiting runs in the order of their rounds.
    entries: Vec<Entry<Run>>,
}

#[derive(Debug)]
struct Entry<Run> {
    run: Run,
    reservation: Reservation,
}

/// A position in the queue that no run has taken yet.
#[derive(Debug)]
pub(super) struct Reservation {
    caller: String,
    bytes: usize,
    round: u64,
    queue_position: watch::Sender<u32>,
}

impl Reservation {
    /// Where the run learns its queue position.
    pub(super) fn queue_position(&self) -> watch::Receiver<u32> {
        self.queue_position.subscribe()
    }
}

impl<Run> FairQueue<Run> {
    pub(super) fn new(concurrency: usize, max_queued: usize) -> Self {
        Self { concurrency, max_queued, round: 0, entries: Vec::new() }
    }

    /// Reserves a position for one more run of `caller` that holds `bytes`. The last position is
    /// only for a caller without a waiting run, so that no caller can lock the others out.
    pub(super) fn reserve(&self, caller: &str, bytes: usize) -> Result<Reservation, Refusal> {
        let held: usize = self.entries.iter().map(|entry| entry.reservation.bytes).sum();
        let is_too_heavy = !self.entries.is_empty() && held + bytes > MAX_BYTES;
        let waiting = self.entries.get(self.concurrency..).unwrap_or_default();
        let free = (self.concurrency + self.max_queued).saturating_sub(self.entries.len());
        let is_last = free == 1 && !waiting.is_empty();
        if free == 0
            || is_too_heavy
            || (is_last && waiting.iter().any(|entry| entry.reservation.caller == caller))
        {
            return Err(Refusal::QueueFull { waiting: waiting.len(), most: self.max_queued });
        }
        let own = self.entries.iter().filter(|entry| entry.reservation.caller == caller);
        let last = own.map(|entry| entry.reservation.round).max().unwrap_or(0);
        let round = last.max(self.round) + 1;
        let position = self.position(self.insertion_index(round));
        let queue_position = watch::Sender::new(position);
        Ok(Reservation { caller: caller.to_owned(), bytes, round, queue_position })
    }

    /// Puts a run into its reserved position. Waiting runs of later rounds move back.
    pub(super) fn enter(&mut self, run: Run, reservation: Reservation) {
        let index = self.insertion_index(reservation.round);
        self.entries.insert(index, Entry { run, reservation });
        self.update();
    }

    /// Removes the first run that `matches`. The runs after it move up.
    pub(super) fn remove(&mut self, matches: impl Fn(&Run) -> bool) -> Option<Run> {
        let index = self.entries.iter().position(|entry| matches(&entry.run))?;
        let removed = self.entries.remove(index);
        self.update();
        Some(removed.run)
    }

    /// The live runs in the order of the queue.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Run> {
        self.entries.iter().map(|entry| &entry.run)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Publishes the changed positions, and notes the rounds of the runs that have started.
    fn update(&mut self) {
        for (index, entry) in self.entries.iter().enumerate() {
            let now = self.position(index);
            let changed = |position: &mut u32| std::mem::replace(position, now) != now;
            entry.reservation.queue_position.send_if_modified(changed);
        }
        let started = self.entries.iter().take(self.concurrency);
        self.round = started.map(|entry| entry.reservation.round).fold(self.round, u64::max);
    }

    /// Where a new run of this round goes: after the runs that run and the waiting runs of the same
    /// or an earlier round.
    fn insertion_index(&self, round: u64) -> usize {
        let waiting = self.entries.iter().skip(self.concurrency);
        let ahead = waiting.take_while(|entry| entry.reservation.round <= round).count();
        self.entries.len().min(self.concurrency + ahead)
    }

    /// The position that callers see.
    fn position(&self, index: usize) -> u32 {
        let ahead = u32::try_from(index).unwrap_or(u32::MAX);
        if index < self.concurrency { 0 } else { ahead }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALLER: &str = "a";

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
    fn the_first_runs_at_once() {
        assert_eq!(*enter(&mut FairQueue::new(1, 1), CALLER, 'a').borrow(), 0);
    }

    #[test]
    fn the_second_waits_for_one() {
        let mut queue = FairQueue::new(1, 1);
        enter(&mut queue, CALLER, 'a');
        assert_eq!(*enter(&mut queue, CALLER, 'b').borrow(), 1);
    }

    #[test]
    fn a_full_queue_refuses_and_says_how_many_wait() {
        let mut queue = FairQueue::new(1, 1);
        enter(&mut queue, CALLER, 'a');
        enter(&mut queue, CALLER, 'b');
        assert_eq!(queue.reserve("b", 0).unwrap_err(), Refusal::QueueFull { waiting: 1, most: 1 });
    }

    #[test]
    fn the_last_position_is_reserved_for_another_caller() {
        let mut queue = FairQueue::new(1, 2);
        enter(&mut queue, CALLER, 'a');
        enter(&mut queue, CALLER, 'b');
        assert_eq!(
            queue.reserve(CALLER, 0).unwrap_err(),
            Refusal::QueueFull { waiting: 1, most: 2 }
        );
        assert!(queue.reserve("b", 0).is_ok());
    }

    #[test]
    fn a_queue_can_be_full_of_bytes() {
        let mut queue = FairQueue::new(1, 9);
        let reservation = queue.reserve(CALLER, MAX_BYTES).unwrap();
        queue.enter('a', reservation);
        assert_eq!(queue.reserve("b", 1).unwrap_err(), Refusal::QueueFull { waiting: 0, most: 9 });
        assert!(queue.reserve("b", 0).is_ok());
    }

    #[test]
    fn the_first_to_come_moves_up_first() {
        let mut queue = FairQueue::new(1, 3);
        enter(&mut queue, CALLER, 'a');
        let positions = [enter(&mut queue, CALLER, 'b'), enter(&mut queue, CALLER, 'c')];
        queue.remove(|&run| run == 'a');
        assert_eq!(positions.map(|position| *position.borrow()), [0, 1]);
    }

    #[test]
    fn a_removed_run_makes_room() {
        let mut queue = FairQueue::new(1, 1);
        enter(&mut queue, CALLER, 'a');
        enter(&mut queue, CALLER, 'b');
        queue.remove(|&run| run == 'b');
        assert_eq!(*enter(&mut queue, CALLER, 'c').borrow(), 1);
    }

    #[test]
    fn callers_take_turns() {
        let mut queue = FairQueue::new(1, 9);
        "abcde".chars().for_each(|run| drop(enter(&mut queue, "many", run)));
        enter(&mut queue, "few", 'X');
        enter(&mut queue, "few", 'Y');
        assert_eq!(order(&queue), "abXcYde");
    }

    #[test]
    fn an_overtaken_run_learns_its_new_position() {
        let mut queue = FairQueue::new(1, 9);
        let [_, _, third] = ['a', 'b', 'c'].map(|run| enter(&mut queue, "many", run));
        enter(&mut queue, "few", 'X');
        assert_eq!(*third.borrow(), 3);
    }

    #[test]
    fn a_caller_that_had_its_turn_queues_after_those_that_did_not() {
        let mut queue = FairQueue::new(1, 9);
        "abc".chars().for_each(|run| drop(enter(&mut queue, "many", run)));
        enter(&mut queue, "few", 'X');
        queue.remove(|&run| run == 'a');
        queue.remove(|&run| run == 'b');
        enter(&mut queue, "few", 'Y');
        assert_eq!(order(&queue), "XcY");
    }
}
