//! Choice of the next run, by the seconds of measuring that each caller has had.
//!
//! This is start-time fair queueing (Goyal, Vin and Cheng: Start-time Fair Queuing, SIGCOMM 1996).
//! Each caller has a virtual time: the seconds that its runs have taken. The next run is that of
//! the caller with the earliest virtual time. A caller that comes back begins at the virtual time
//! of the service, so nobody saves up turns while away. While two callers both have waiting runs,
//! their virtual times differ by at most the sum of their longest runs, times the number of runs
//! that can run at the same time (Jin, Chase and Kaur: Interposed Proportional Sharing, SIGMETRICS
//! 2004).
//!
//! The paper charges a run when it starts, by its length. Here the length is not known before the
//! end. So a running run is charged the length of its caller's last run, and its own length once it
//! has ended.

#![forbid(unsafe_code)]

mod share;

pub use share::takes_too_much;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

/// Maximum number of callers without a run whose virtual time is remembered.
pub const MAX_ABSENT: usize = 1024;
/// Assumed duration of the first run of a caller.
const FIRST_ESTIMATE: Duration = Duration::from_secs(1);
/// Minimum assumed duration of a run. Any time above 0 makes callers alternate.
const LEAST_ESTIMATE: Duration = Duration::from_millis(1);

/// The virtual times of the callers.
#[derive(Debug, Default)]
pub struct Turns {
    /// The virtual time of the service. It never goes back.
    now: Duration,
    callers: HashMap<String, Caller>,
}

#[derive(Debug)]
struct Caller {
    /// Virtual time at which the caller came, plus the durations of its ended runs.
    charged: Duration,
    /// Duration of its last run.
    estimate: Duration,
    waiting: u32,
    running: u32,
}

impl Turns {
    /// Notes that a run of `caller` begins to wait.
    pub fn wait(&mut self, caller: &str) {
        if !self.callers.contains_key(caller) {
            let new =
                Caller { charged: self.now, estimate: FIRST_ESTIMATE, waiting: 0, running: 0 };
            self.callers.insert(caller.to_owned(), new);
        }
        let now = self.now;
        self.change(caller, |found| {
            if found.is_absent() {
                found.charged = found.charged.max(now);
            }
            found.waiting += 1;
        });
    }

    /// Notes that a run of `caller` leaves the queue without a turn.
    pub fn leave(&mut self, caller: &str) {
        self.change(caller, |found| found.waiting = found.waiting.saturating_sub(1));
    }

    /// Notes that a waiting run of `caller` starts.
    pub fn start(&mut self, caller: &str) {
        self.change(caller, |found| {
            found.waiting = found.waiting.saturating_sub(1);
            found.running += 1;
        });
    }

    /// Notes that a started run of `caller` has ended after `took`.
    pub fn end(&mut self, caller: &str, took: Duration) {
        self.change(caller, |found| {
            found.running = found.running.saturating_sub(1);
            found.charged = found.charged.saturating_add(took);
            found.estimate = took.max(LEAST_ESTIMATE);
        });
    }

    /// Returns the order in which waiting runs get their turns, as far as their lengths can be
    /// estimated. `callers` has the caller of each waiting run, in the order of arrival; the result
    /// has positions in `callers`. Runs of one caller keep their order.
    pub fn order(&self, callers: &[&str]) -> Vec<usize> {
        let mut earlier: HashMap<&str, u32> = HashMap::new();
        let mut starts: Vec<(Duration, usize)> = Vec::with_capacity(callers.len());
        for (position, &caller) in callers.iter().enumerate() {
            let waiting = earlier.entry(caller).or_insert(0);
            starts.push((self.start_tag(caller, *waiting), position));
            *waiting += 1;
        }
        starts.sort_unstable();
        starts.into_iter().map(|(_, position)| position).collect()
    }

    /// Returns the number of callers that are remembered.
    pub fn remembered(&self) -> usize {
        self.callers.len()
    }

    /// Returns the virtual time at which a run of `caller` starts, after `earlier` waiting runs of
    /// the same caller.
    fn start_tag(&self, caller: &str, earlier: u32) -> Duration {
        self.callers.get(caller).map_or(self.now, |found| {
            let ahead = found.running.saturating_add(earlier);
            found.charged.saturating_add(found.estimate.saturating_mul(ahead))
        })
    }

    /// Changes a caller, advances the virtual time, and forgets absent callers whose virtual time
    /// the service has passed.
    fn change(&mut self, caller: &str, change: impl FnOnce(&mut Caller)) {
        let Some(found) = self.callers.get_mut(caller) else { return };
        change(found);
        let present = self.callers.values().filter(|found| !found.is_absent());
        match present.map(|found| found.charged).min() {
            Some(earliest) => self.now = self.now.max(earliest),
            // No run waits or runs, so no caller's lead counts any more.
            None => self.callers.clear(),
        }
        let now = self.now;
        self.callers.retain(|_, found| !found.is_absent() || found.charged > now);
        self.forget_least();
    }

    /// Forgets absent callers beyond [`MAX_ABSENT`]: those least ahead of the virtual time of the
    /// service.
    fn forget_least(&mut self) {
        let mut absent: Vec<_> =
            self.callers.iter().filter(|(_, found)| found.is_absent()).collect();
        let Some(beyond) = absent.len().checked_sub(MAX_ABSENT).filter(|&beyond| beyond > 0) else {
            return;
        };
        absent.sort_unstable_by_key(|(name, found)| (found.charged, Reverse(*name)));
        let names: Vec<String> = absent[..beyond].iter().map(|(name, _)| (*name).clone()).collect();
        for name in names {
            self.callers.remove(&name);
        }
    }
}

impl Caller {
    /// Whether the caller has no run that waits or runs.
    fn is_absent(&self) -> bool {
        self.waiting == 0 && self.running == 0
    }
}
