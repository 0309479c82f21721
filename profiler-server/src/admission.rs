//! Who runs and who waits: first come, first served.
//!
//! All live runs stand in one line. The first `concurrency` of it run, the others wait, at most
//! `max_queued` of them. A run's place is how many may not yet have ended in front of it; 0 is its
//! turn. It leaves the line when its task ends, whatever its caller does meanwhile.

use crate::status::Refusal;
use std::collections::VecDeque;
use tokio::sync::watch;

/// The line of live runs.
#[derive(Debug)]
pub(crate) struct Line<Run> {
    concurrency: usize,
    max_queued: usize,
    runs: VecDeque<(Run, watch::Sender<u32>)>,
}

/// A place at the end of the line that is not yet taken.
#[derive(Debug)]
pub(crate) struct Ticket(watch::Sender<u32>);

impl Ticket {
    /// Where the run learns its place.
    pub(crate) fn place(&self) -> watch::Receiver<u32> {
        self.0.subscribe()
    }
}

impl<Run> Line<Run> {
    pub(crate) fn new(concurrency: usize, max_queued: usize) -> Self {
        Self { concurrency, max_queued, runs: VecDeque::new() }
    }

    /// A place at the end, if there is room.
    pub(crate) fn ticket(&self) -> Result<Ticket, Refusal> {
        if self.runs.len() >= self.concurrency + self.max_queued {
            return Err(Refusal::QueueFull(self.max_queued));
        }
        Ok(Ticket(watch::Sender::new(self.place(self.runs.len()))))
    }

    /// Takes the place.
    pub(crate) fn enter(&mut self, run: Run, ticket: Ticket) {
        self.runs.push_back((run, ticket.0));
    }

    /// Takes a run out; those behind it move up.
    pub(crate) fn leave(&mut self, is: impl Fn(&Run) -> bool) {
        self.runs.retain(|(run, _)| !is(run));
        for (at, (_, place)) in self.runs.iter().enumerate() {
            place.send_replace(self.place(at));
        }
    }

    /// The live runs, those that run first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().map(|(run, _)| run)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    fn place(&self, at: usize) -> u32 {
        let in_front = u32::try_from(at).unwrap_or(u32::MAX);
        if at < self.concurrency { 0 } else { in_front }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enter(line: &mut Line<char>, run: char) -> watch::Receiver<u32> {
        let ticket = line.ticket().unwrap();
        let place = ticket.place();
        line.enter(run, ticket);
        place
    }

    #[test]
    fn the_first_runs_at_once() {
        assert_eq!(*enter(&mut Line::new(1, 1), 'a').borrow(), 0);
    }

    #[test]
    fn the_second_waits_behind_one() {
        let mut line = Line::new(1, 1);
        enter(&mut line, 'a');
        assert_eq!(*enter(&mut line, 'b').borrow(), 1);
    }

    #[test]
    fn a_full_queue_refuses() {
        let mut line = Line::new(1, 1);
        enter(&mut line, 'a');
        enter(&mut line, 'b');
        assert_eq!(line.ticket().unwrap_err(), Refusal::QueueFull(1));
    }

    #[test]
    fn who_came_first_moves_up_first() {
        let mut line = Line::new(1, 2);
        enter(&mut line, 'a');
        let places = [enter(&mut line, 'b'), enter(&mut line, 'c')];
        line.leave(|&run| run == 'a');
        assert_eq!(places.map(|place| *place.borrow()), [0, 1]);
    }

    #[test]
    fn who_gives_up_waiting_makes_room() {
        let mut line = Line::new(1, 1);
        enter(&mut line, 'a');
        enter(&mut line, 'b');
        line.leave(|&run| run == 'b');
        assert_eq!(*enter(&mut line, 'c').borrow(), 1);
    }
}
