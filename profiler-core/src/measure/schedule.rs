//! Chooses the sizes that are measured, one after the other.

mod growing;
mod measured_size;

use crate::job::{Job, Sizes};
use crate::limits::{AUTO_BUDGET, MAX_WAIT, SHARE, UNSEEN_SHARE};
use crate::report::{Outcome, SizeResult};
use measured_size::MeasuredSize;
use std::mem;
use std::ops::Range;
use std::time::Duration;

const MS_PER_SECOND: f64 = 1e3;

/// Hands out the sizes. It is asked after every result, so that earlier results can decide the next
/// size.
#[derive(Debug)]
pub(crate) struct Schedule<'a> {
    sizes: &'a Sizes,
    /// The number of results of each size.
    candidates: u32,
    /// The time limit of one run, in milliseconds.
    limit_ms: f64,
    /// Each size's share of the budget of a fixed list.
    share: Duration,
    /// The number of results whose place in the report is settled.
    settled: usize,
    /// Whether chosen sizes join the report at once.
    begun: bool,
    end: Option<String>,
}

impl<'a> Schedule<'a> {
    /// The schedule of a job.
    pub(crate) fn for_job(job: &'a Job) -> Self {
        let share = job.repetitions_time().unwrap_or(SHARE).max(SHARE);
        let candidates = job.candidates();
        Self { candidates, share, ..Self::over(&job.sizes, job.limits.timeout) }
    }

    /// A growing schedule over `sizes`, with one candidate and at most `limit` for each run.
    pub(crate) fn over(sizes: &'a Sizes, limit: Duration) -> Self {
        let limit_ms = limit.as_secs_f64() * MS_PER_SECOND;
        Self { sizes, candidates: 1, limit_ms, share: SHARE, settled: 0, begun: false, end: None }
    }

    /// The time for all measuring.
    pub(crate) fn budget(&self) -> Duration {
        let each = match self.sizes.promised() {
            Some(count) => self.share * u32::try_from(count).unwrap_or(u32::MAX),
            None => AUTO_BUDGET,
        };
        each * self.candidates
    }

    /// The next size after `results`, which are ordered by size and candidate; `None` at the end.
    /// `unspent` is the rest of the budget.
    pub(crate) fn next(&mut self, results: &[SizeResult], unspent: Duration) -> Option<u64> {
        let measured = self.measured(results);
        if let Some(&certain) = self.sizes.certain().get(measured.len()) {
            return Some(certain);
        }
        if self.sizes.promised().is_some() {
            return None;
        }
        let grown = &measured[self.sizes.certain().len()..];
        let limit_ms = self.limit_ms - self.floor_ms(results).unwrap_or(0.0);
        let next = growing::next(self.sizes, grown, limit_ms, unspent / self.candidates);
        next.map_err(|end| self.end = Some(end)).ok()
    }

    /// Which of `results` join the report now, with `unspent` left of the budget. Those of a fixed
    /// list join at once. Those that a growing schedule chose wait until the time of two sizes in a
    /// row is visible. Then the sizes before these two are left out, unless few are to come. All
    /// join if it takes long.
    pub(crate) fn settle(&mut self, results: &[SizeResult], unspent: Duration) -> Range<usize> {
        let certain = self.sizes.certain().len() * self.candidates as usize;
        let waits = results.len() > certain && !self.begun;
        if waits && let Some(begin) = self.begin(results).filter(|&begin| begin >= certain) {
            let possible = self.sizes.possible().iter();
            let to_come = possible.filter(|&&size| size >= results[begin].size).count();
            let kept = growing::WANTED.saturating_sub(to_come) * self.candidates as usize;
            (self.begun, self.settled) = (true, begin.saturating_sub(kept).max(certain));
        }
        self.begun |= waits && self.budget().saturating_sub(unspent) > MAX_WAIT * self.candidates;
        if waits && !self.begun { self.settled..self.settled } else { self.rest(results.len()) }
    }

    /// Which of `count` results join the report at the end: those that wait.
    pub(crate) fn rest(&mut self, count: usize) -> Range<usize> {
        mem::replace(&mut self.settled, count)..count
    }

    /// The first result of the last two sizes, if they are whole and their time is visible.
    fn begin(&self, results: &[SizeResult]) -> Option<usize> {
        let begin = results.len().checked_sub(2 * self.candidates as usize)?;
        let measured = self.measured(results);
        let [.., before, last] = measured.as_slice() else { return None };
        let is_whole = results[begin].size == before.size;
        (is_whole && before.net_ms.and(last.net_ms).is_some()).then_some(begin)
    }

    /// Whether the next size of a candidate would exceed a limit for certain: its two largest sizes
    /// did, or the one before was left out already.
    pub(crate) fn is_hopeless(results: &[SizeResult], candidate: u32) -> bool {
        let mut outcomes =
            results.iter().rev().filter(|it| it.candidate == candidate).map(|it| it.outcome);
        match outcomes.next() {
            Some(Outcome::NotRun) => true,
            Some(last) => last.is_limit() && outcomes.next().is_some_and(Outcome::is_limit),
            None => false,
        }
    }

    /// The time that the next result may take, after `results` and with `unspent` left. A size that
    /// is probably left out gets little of it.
    pub(crate) fn share(&self, results: &[SizeResult], unspent: Duration) -> Duration {
        let Some(count) = self.sizes.promised() else {
            let measured = self.measured(results);
            let chosen = measured.len() >= self.sizes.certain().len() && !self.begun;
            let unseen = measured.last().is_none_or(|last| last.net_ms.is_none());
            return unspent.min(if chosen && unseen { UNSEEN_SHARE } else { SHARE });
        };
        let left = (count * self.candidates as usize).saturating_sub(results.len());
        unspent / u32::try_from(left).unwrap_or(u32::MAX).max(1)
    }

    /// The results by size.
    fn measured(&self, results: &[SizeResult]) -> Vec<MeasuredSize> {
        let floor_ms = self.floor_ms(results);
        let sizes = results.chunk_by(|a, b| a.size == b.size);
        sizes.map(|candidates| MeasuredSize::from_candidates(candidates, floor_ms)).collect()
    }

    /// The program's longest time at the smallest sizes, where it has no work yet, in milliseconds.
    fn floor_ms(&self, results: &[SizeResult]) -> Option<f64> {
        let certain = self.sizes.certain();
        let idle = results.iter().filter(|it| it.size < growing::FIRST && it.is_ok());
        let idle = idle.filter(|it| certain.contains(&it.size));
        idle.map(SizeResult::runtime_ms).max_by(f64::total_cmp)
    }

    /// Why a growing schedule stopped; `None` for a fixed list of sizes.
    pub(crate) fn end(self) -> Option<String> {
        self.end
    }
}

#[cfg(test)]
mod tests;
