//! Who runs and who waits: callers take turns.
//!
//! All live runs stand in one line. The first `concurrency` of it run, the others wait, at most
//! `max_queued` of them. A run's place is how many may not yet have ended in front of it; 0 is its
//! turn. It leaves the line when its task ends, whatever its caller does meanwhile.
//!
//! The order is that of start-time fair queueing with runs of one size (Goyal, Vin and Cheng, 1996): a
//! run's round is one more than that of its caller's last run in the line, and than that of the last
//! run that began. Who waits with one run never waits for another caller's second.

use crate::status::Refusal;
use tokio::sync::watch;

/// Most bytes of sources and inputs that all live runs hold together; one alone may hold what it is
/// allowed to.
const MAX_BYTES: usize = 256 << 20;

/// The line of live runs.
#[derive(Debug)]
pub(crate) struct Line<Run> {
    concurrency: usize,
    max_queued: usize,
    /// The round of the last run that began.
    round: u64,
    /// Those that run, and behind them, by their rounds, those that wait.
    runs: Vec<Placed<Run>>,
}

#[derive(Debug)]
struct Placed<Run> {
    run: Run,
    ticket: Ticket,
}

/// A place in the line that is not yet taken.
#[derive(Debug)]
pub(crate) struct Ticket {
    caller: String,
    bytes: usize,
    round: u64,
    place: watch::Sender<u32>,
}

impl Ticket {
    /// Where the run learns its place.
    pub(crate) fn place(&self) -> watch::Receiver<u32> {
        self.place.subscribe()
    }
}

impl<Run> Line<Run> {
    pub(crate) fn new(concurrency: usize, max_queued: usize) -> Self {
        Self { concurrency, max_queued, round: 0, runs: Vec::new() }
    }

    /// A place for one more run of `caller` that holds `bytes`, if there is one. The last is kept for a caller that has no
    /// run waiting, so that nobody can lock the others out.
    pub(crate) fn ticket(&self, caller: &str, bytes: usize) -> Result<Ticket, Refusal> {
        let held: usize = self.runs.iter().map(|placed| placed.ticket.bytes).sum();
        let is_heavy = !self.runs.is_empty() && held + bytes > MAX_BYTES;
        let waiting = self.runs.get(self.concurrency..).unwrap_or_default();
        let free = (self.concurrency + self.max_queued).saturating_sub(self.runs.len());
        let is_last = free == 1 && !waiting.is_empty();
        if free == 0
            || is_heavy
            || (is_last && waiting.iter().any(|placed| placed.ticket.caller == caller))
        {
            return Err(Refusal::QueueFull { depth: waiting.len(), most: self.max_queued });
        }
        let own = self.runs.iter().filter(|placed| placed.ticket.caller == caller);
        let last = own.map(|placed| placed.ticket.round).max().unwrap_or(0);
        let round = last.max(self.round) + 1;
        let place = watch::Sender::new(self.place(self.position(round)));
        Ok(Ticket { caller: caller.to_owned(), bytes, round, place })
    }

    /// Takes the place; those in front of which it is move back.
    pub(crate) fn enter(&mut self, run: Run, ticket: Ticket) {
        self.runs.insert(self.position(ticket.round), Placed { run, ticket });
        self.tell();
    }

    /// Takes a run out; those behind it move up.
    pub(crate) fn leave(&mut self, is: impl Fn(&Run) -> bool) -> Option<Run> {
        let at = self.runs.iter().position(|placed| is(&placed.run))?;
        let left = self.runs.remove(at);
        self.tell();
        Some(left.run)
    }

    /// The live runs, those that run first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().map(|placed| &placed.run)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Tells the runs whose place is another one now, and notes which have begun.
    fn tell(&mut self) {
        for (at, placed) in self.runs.iter().enumerate() {
            let now = self.place(at);
            placed.ticket.place.send_if_modified(|place| std::mem::replace(place, now) != now);
        }
        let begun = self.runs.iter().take(self.concurrency).map(|placed| placed.ticket.round);
        self.round = begun.fold(self.round, u64::max);
    }

    /// Where a run of this round stands.
    fn position(&self, round: u64) -> usize {
        let waiting = self.runs.iter().skip(self.concurrency);
        let in_front = waiting.take_while(|placed| placed.ticket.round <= round).count();
        self.runs.len().min(self.concurrency + in_front)
    }

    fn place(&self, at: usize) -> u32 {
        let in_front = u32::try_from(at).unwrap_or(u32::MAX);
        if at < self.concurrency { 0 } else { in_front }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALLER: &str = "a";

    fn enter(line: &mut Line<char>, caller: &str, run: char) -> watch::Receiver<u32> {
        let ticket = line.ticket(caller, 0).unwrap();
        let place = ticket.place();
        line.enter(run, ticket);
        place
    }

    fn order(line: &Line<char>) -> String {
        line.iter().collect()
    }

    #[test]
    fn the_first_runs_at_once() {
        assert_eq!(*enter(&mut Line::new(1, 1), CALLER, 'a').borrow(), 0);
    }

    #[test]
    fn the_second_waits_behind_one() {
        let mut line = Line::new(1, 1);
        enter(&mut line, CALLER, 'a');
        assert_eq!(*enter(&mut line, CALLER, 'b').borrow(), 1);
    }

    #[test]
    fn a_full_queue_refuses_and_says_how_many_wait() {
        let mut line = Line::new(1, 1);
        enter(&mut line, CALLER, 'a');
        enter(&mut line, CALLER, 'b');
        assert_eq!(line.ticket("b", 0).unwrap_err(), Refusal::QueueFull { depth: 1, most: 1 });
    }

    #[test]
    fn the_last_place_is_kept_for_another_caller() {
        let mut line = Line::new(1, 2);
        enter(&mut line, CALLER, 'a');
        enter(&mut line, CALLER, 'b');
        assert_eq!(line.ticket(CALLER, 0).unwrap_err(), Refusal::QueueFull { depth: 1, most: 2 });
        assert!(line.ticket("b", 0).is_ok());
    }

    #[test]
    fn a_queue_can_be_full_of_bytes() {
        let mut line = Line::new(1, 9);
        let ticket = line.ticket(CALLER, MAX_BYTES).unwrap();
        line.enter('a', ticket);
        assert_eq!(line.ticket("b", 1).unwrap_err(), Refusal::QueueFull { depth: 0, most: 9 });
        assert!(line.ticket("b", 0).is_ok());
    }

    #[test]
    fn who_came_first_moves_up_first() {
        let mut line = Line::new(1, 3);
        enter(&mut line, CALLER, 'a');
        let places = [enter(&mut line, CALLER, 'b'), enter(&mut line, CALLER, 'c')];
        line.leave(|&run| run == 'a');
        assert_eq!(places.map(|place| *place.borrow()), [0, 1]);
    }

    #[test]
    fn who_gives_up_waiting_makes_room() {
        let mut line = Line::new(1, 1);
        enter(&mut line, CALLER, 'a');
        enter(&mut line, CALLER, 'b');
        line.leave(|&run| run == 'b');
        assert_eq!(*enter(&mut line, CALLER, 'c').borrow(), 1);
    }

    #[test]
    fn callers_take_turns() {
        let mut line = Line::new(1, 9);
        "abcde".chars().for_each(|run| drop(enter(&mut line, "many", run)));
        enter(&mut line, "few", 'X');
        enter(&mut line, "few", 'Y');
        assert_eq!(order(&line), "abXcYde");
    }

    #[test]
    fn who_is_overtaken_learns_it() {
        let mut line = Line::new(1, 9);
        let [_, _, third] = ['a', 'b', 'c'].map(|run| enter(&mut line, "many", run));
        enter(&mut line, "few", 'X');
        assert_eq!(*third.borrow(), 3);
    }

    #[test]
    fn who_has_had_its_turn_comes_behind_those_that_wait_for_theirs() {
        let mut line = Line::new(1, 9);
        "abc".chars().for_each(|run| drop(enter(&mut line, "many", run)));
        enter(&mut line, "few", 'X');
        line.leave(|&run| run == 'a');
        line.leave(|&run| run == 'b');
        enter(&mut line, "few", 'Y');
        assert_eq!(order(&line), "XcY");
    }
}
