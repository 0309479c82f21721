//! The history of a fleet, and the promises that it must keep.

use crate::engine::scene::word;
use profiler_fleet::{Followed, Origin};
use profiler_proto::v1;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use tokio::time::Instant;

/// Shared record of everything that happens.
#[derive(Clone)]
pub(crate) struct History(Arc<Mutex<Record>>);

pub(crate) struct Record {
    begin: Instant,
    pub(crate) lines: Vec<String>,
    /// Runs that were accepted, by request.
    pub(crate) accepted: BTreeMap<String, Origin>,
    /// Runs that a caller asked to cancel.
    pub(crate) cancelled: BTreeSet<String>,
    /// Events that each gateway has stored.
    pub(crate) stored: BTreeMap<usize, Vec<Followed>>,
    /// Workers that measure a run now.
    measuring: BTreeMap<String, Vec<(String, watch::Receiver<bool>)>>,
    /// The worker that is slower than the others; `None` once all are equal.
    pub(crate) slow: Option<usize>,
    /// Workers that have left their pool because of their speed.
    pub(crate) away: BTreeSet<usize>,
    /// Whether the engine forgot jobs, so that it can give one out twice.
    pub(crate) is_amnesiac: bool,
    pub(crate) broken: Option<String>,
    pub(crate) figures: Figures,
}

/// Numbers of what happened.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Figures {
    pub(crate) faults: u64,
    runs: u64,
    finished: u64,
    restarts: u64,
    interrupted: u64,
}

/// A worker that measures a run, until this is dropped.
pub(crate) struct Measuring {
    history: History,
    run_id: String,
    worker: String,
}

impl History {
    pub(crate) fn new() -> Self {
        let (lines, accepted, cancelled, stored, measuring, away) = Default::default();
        Self(Arc::new(Mutex::new(Record {
            begin: Instant::now(),
            lines,
            accepted,
            cancelled,
            stored,
            measuring,
            slow: None,
            away,
            is_amnesiac: false,
            broken: None,
            figures: Figures::default(),
        })))
    }

    pub(crate) fn get(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a worker measures a run. `frozen` tells whether the worker is frozen.
    pub(crate) fn measure(
        &self,
        run_id: &str,
        worker: &str,
        frozen: watch::Receiver<bool>,
    ) -> Measuring {
        let mut record = self.get();
        record.say(&format!("{worker} measures {run_id}"));
        let others = record.measuring.entry(run_id.to_owned()).or_default();
        let other = others.iter().find(|(_, frozen)| !*frozen.borrow()).map(|it| it.0.clone());
        others.push((worker.to_owned(), frozen));
        if let (Some(other), false) = (other, record.is_amnesiac) {
            record.breaks(format!("{run_id} runs at {other} and at {worker} at the same time"));
        }
        let (run_id, worker) = (run_id.to_owned(), worker.to_owned());
        Measuring { history: self.clone(), run_id, worker }
    }
}

impl Drop for Measuring {
    fn drop(&mut self) {
        let mut record = self.history.get();
        record.say(&format!("{} leaves {}", self.worker, self.run_id));
        if let Some(workers) = record.measuring.get_mut(&self.run_id)
            && let Some(at) = workers.iter().position(|(worker, _)| *worker == self.worker)
        {
            workers.remove(at);
        }
    }
}

impl Record {
    pub(crate) fn say(&mut self, line: &str) {
        let at = self.begin.elapsed().as_millis();
        self.lines.push(format!("{at:>7} {line}"));
    }

    /// Notes the first promise that is broken.
    pub(crate) fn breaks(&mut self, why: String) {
        self.say(&why);
        self.broken.get_or_insert(why);
    }

    /// Notes that a request has a run.
    pub(crate) fn accept(&mut self, request: &str, origin: Origin) {
        let run_id = origin.run_id().to_owned();
        let known = self.accepted.entry(request.to_owned()).or_insert(origin).run_id().to_owned();
        if known != run_id {
            self.breaks(format!("{request} has the runs {known} and {run_id}"));
        }
    }

    /// Notes what a gateway read.
    pub(crate) fn store(&mut self, gateway: usize, followed: Followed) {
        let stored = self.stored.entry(gateway).or_default();
        let last = stored.last().map_or(0, |last| last.position);
        let at = followed.position;
        let v1::Event { run_id, sequence, .. } = &followed.event;
        let line = format!("gateway {gateway} reads {at}: event {sequence} of {run_id}");
        stored.push(followed);
        self.say(&line);
        // The events of an entry have two positions, and the first is that of the entry before.
        if at < last {
            self.breaks(format!("gateway {gateway} reads {at} after {last}"));
        }
    }

    /// Notes that a worker leaves its pool because of its speed.
    pub(crate) fn leave(&mut self, member: usize) {
        self.away.insert(member);
        if self.slow == Some(member) {
            self.say(&format!("{member} leaves its pool"));
        } else {
            self.breaks(format!("{member} leaves its pool, and is as fast as the others"));
        }
    }

    /// Notes that a worker comes back to its pool.
    pub(crate) fn come_back(&mut self, member: usize) {
        self.away.remove(&member);
        self.say(&format!("{member} is back in its pool"));
    }

    /// Judges the log of a run.
    pub(crate) fn judge(&mut self, run_id: &str, log: &[Followed]) -> Result<(), String> {
        let words: Vec<_> = log.iter().map(word).collect();
        let numbers = log.iter().map(|followed| followed.event.sequence);
        if !numbers.eq(1..=log.len() as u64) {
            return Err(format!("{run_id} has numbers twice, or not: {words:?}"));
        }
        let is_last = |word: &&String| word.starts_with("finished") || word.starts_with("failed");
        if words.iter().filter(is_last).count() != 1 || !words.last().is_some_and(|it| is_last(&it))
        {
            return Err(format!("{run_id} has not one ending: {words:?}"));
        }
        let restarts = words.iter().filter(|word| word.starts_with("restarted")).count();
        match words.last().map(String::as_str) {
            Some("failed ERROR_CODE_CANCELLED") if !self.cancelled.contains(run_id) => {
                return Err(format!("nobody cancelled {run_id}: {words:?}"));
            }
            Some("failed ERROR_CODE_INTERRUPTED") if restarts == 0 => {
                return Err(format!("{run_id} lost no two workers: {words:?}"));
            }
            Some("failed ERROR_CODE_INTERRUPTED") => self.figures.interrupted += 1,
            Some("finished") => self.figures.finished += 1,
            _ => {}
        }
        self.figures.runs += 1;
        self.figures.restarts += restarts as u64;
        for (gateway, stored) in &self.stored {
            let stored = stored.iter().filter(|it| it.event.run_id == run_id);
            let numbers: Vec<_> = stored.map(|it| it.event.sequence).collect();
            if !numbers.iter().copied().eq(1..=log.len() as u64) {
                return Err(format!("gateway {gateway} has {numbers:?} of {run_id}: {words:?}"));
            }
        }
        Ok(())
    }
}

impl Figures {
    pub(crate) fn add(&mut self, other: &Self) {
        self.faults += other.faults;
        self.runs += other.runs;
        self.finished += other.finished;
        self.restarts += other.restarts;
        self.interrupted += other.interrupted;
    }
}

impl Display for Figures {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { faults, runs, finished, restarts, interrupted } = self;
        write!(
            f,
            "{faults} faults, {runs} runs, {finished} finished, {interrupted} interrupted, \
             {restarts} restarts"
        )
    }
}
