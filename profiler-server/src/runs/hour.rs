//! The seconds that the runs of each caller took in the last hour.

use super::refusal::{Refusal, Taken};
use crate::config::Quota;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

const HOUR: Duration = Duration::from_secs(60 * 60);
/// Maximum number of turns that are remembered. With more than this in an hour, a turn takes less
/// than 40 ms on average.
const MAX_TURNS: usize = 90_000;

/// The turns that ended in the last hour, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Hour(VecDeque<Turn>);

#[derive(Debug)]
struct Turn {
    ended: Instant,
    caller: String,
    took: Duration,
}

impl Hour {
    /// Adds a turn of `caller` that has ended.
    pub(crate) fn add(&mut self, caller: &str, took: Duration) {
        self.forget();
        if self.0.len() == MAX_TURNS {
            self.0.pop_front();
        }
        self.0.push_back(Turn { ended: Instant::now(), caller: caller.to_owned(), took });
    }

    /// Refuses one more run of `caller` if its `live` and its `waiting` runs, or the time of its
    /// turns in the last hour, use up `quota`. Its running turns began at `started`.
    pub(crate) fn check(
        &mut self,
        quota: &Quota,
        caller: &str,
        live: usize,
        waiting: usize,
        started: impl Iterator<Item = Instant>,
    ) -> Result<(), Refusal> {
        if let Some(most) = quota.live_runs.filter(|&most| live >= most) {
            return Err(Refusal::Quota(Taken::LiveRuns(most)));
        }
        if let Some(most) = quota.queued_runs.filter(|&most| waiting >= most) {
            return Err(Refusal::Quota(Taken::QueuedRuns(most)));
        }
        let Some(most) = quota.hour() else { return Ok(()) };
        let so_far = started.map(|at| at.elapsed()).sum();
        match self.wait_for(caller, so_far, most) {
            Some(after) => Err(Refusal::Quota(Taken::Hour { most, after })),
            None => Ok(()),
        }
    }

    /// Returns the time until the turns of `caller` in the last hour take less than `most`; `None`
    /// if they take less now. Its running turns have taken `so_far`.
    fn wait_for(&mut self, caller: &str, so_far: Duration, most: Duration) -> Option<Duration> {
        self.forget();
        let own: Vec<&Turn> = self.0.iter().filter(|turn| turn.caller == caller).collect();
        let mut given = own.iter().fold(so_far, |sum, turn| sum.saturating_add(turn.took));
        if given < most {
            return None;
        }
        for turn in own {
            given = given.saturating_sub(turn.took);
            if given < most {
                return Some(HOUR.saturating_sub(turn.ended.elapsed()));
            }
        }
        Some(HOUR)
    }

    fn forget(&mut self) {
        while self.0.front().is_some_and(|turn| turn.ended.elapsed() >= HOUR) {
            self.0.pop_front();
        }
    }
}
