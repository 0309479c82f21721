//! Chooses the sizes that are measured, one after the other.

mod growing;
mod grown_size;

use crate::figures::units::MS_PER_SECOND;
use crate::job::{Job, Sizes};
use crate::limits::{AUTO_BUDGET, BRIEF_BUDGET, SHARE};
use crate::report::MeasuredSize;
use grown_size::GrownSize;
use profiler_proto::v1::Outcome;
use runner_protocol::FIRST_PART;
use std::time::Duration;

/// Number of sizes that a growing schedule is assumed to have when a brief job divides the time of
/// its repetitions.
const GROWN_SIZES: usize = 12;

/// Sizes to measure. The schedule is asked after every result, because earlier results can decide
/// the next size.
#[derive(Debug)]
pub(crate) struct Schedule<'a> {
    sizes: &'a Sizes,
    /// The number of results of each size.
    candidates: u32,
    /// The time limit of one run, in milliseconds.
    limit_ms: f64,
    /// Each size's share of the budget of a fixed list.
    share: Duration,
    /// Time that is left for the repetitions of all results, if the job is brief.
    brief: Option<Duration>,
    end: Option<String>,
}

impl<'a> Schedule<'a> {
    pub(crate) fn for_job(job: &'a Job) -> Self {
        Self::of_sizes(job, &job.sizes)
    }

    /// Makes a schedule of a job over `sizes`, with all candidates.
    pub(crate) fn of_sizes(job: &Job, sizes: &'a Sizes) -> Self {
        let candidates = job.candidates();
        let brief = job.brief_precision().map(|_| BRIEF_BUDGET);
        let share = job.repetitions_time().unwrap_or(SHARE).max(SHARE);
        Self { candidates, share, brief, ..Self::over(sizes, job.limits.timeout) }
    }

    /// Makes a growing schedule over `sizes`, with one candidate and at most `limit` for each run.
    pub(crate) fn over(sizes: &'a Sizes, limit: Duration) -> Self {
        let limit_ms = limit.as_secs_f64() * MS_PER_SECOND;
        Self { sizes, candidates: 1, limit_ms, share: SHARE, brief: None, end: None }
    }

    /// Returns the time budget for measuring all sizes.
    pub(crate) fn budget(&self) -> Duration {
        let each = match self.sizes.promised() {
            Some(count) => self.share * u32::try_from(count).unwrap_or(u32::MAX),
            None => AUTO_BUDGET,
        };
        each * self.candidates
    }

    /// The next size after `results`, which are ordered by size and candidate; `None` at the end.
    /// `unspent` is the rest of the budget.
    pub(crate) fn next(&mut self, results: &[MeasuredSize], unspent: Duration) -> Option<u64> {
        let floor_ms = self.floor_ms(results);
        let measured = results.chunk_by(|a, b| a.size == b.size);
        let measured: Vec<_> =
            measured.map(|of_size| GrownSize::from_candidates(of_size, floor_ms)).collect();
        if let Some(&certain) = self.sizes.certain().get(measured.len()) {
            return Some(certain);
        }
        if self.sizes.promised().is_some() {
            return None;
        }
        let grown = &measured[self.sizes.certain().len()..];
        let next = growing::next(self.sizes, grown, self.limit_ms, unspent / self.candidates);
        next.map_err(|end| self.end = Some(end + &growing::hidden(grown))).ok()
    }

    /// Returns the program's time without work, in milliseconds: the longest time at the certain
    /// sizes below [`growing::FIRST`]. A disturbance can lengthen these times, so a shorter time of
    /// another size replaces it. `None` if none of the small sizes ended OK.
    fn floor_ms(&self, results: &[MeasuredSize]) -> Option<f64> {
        let measured = results.chunk_by(|a, b| a.size == b.size);
        let times = measured.filter_map(|of_size| {
            let measured = GrownSize::from_candidates(of_size, None);
            Some((measured.size, measured.ms?))
        });
        let certain = self.sizes.certain();
        let (idle, others): (Vec<_>, Vec<_>) =
            times.partition(|(size, _)| *size < growing::FIRST && certain.contains(size));
        let longest = idle.into_iter().map(|(_, ms)| ms).max_by(f64::total_cmp)?;
        Some(others.into_iter().map(|(_, ms)| ms).fold(longest, f64::min))
    }

    /// Whether a size is the last of the list.
    pub(crate) fn is_last(&self, size: u64) -> bool {
        self.sizes.certain().last() == Some(&size)
    }

    /// Whether the next size of a candidate is certain to exceed a limit: the two largest sizes of
    /// this candidate did, or its last size was already left out.
    pub(crate) fn is_hopeless(results: &[MeasuredSize], candidate: u32) -> bool {
        let mut outcomes = results
            .iter()
            .rev()
            .filter(|it| it.candidate == candidate)
            .map(|it| it.verdict.outcome);
        match outcomes.next() {
            Some(Outcome::NotRun) => true,
            Some(last) => last.is_limit() && outcomes.next().is_some_and(Outcome::is_limit),
            None => false,
        }
    }

    /// Returns the time that the next result may take, after `results` results and with `unspent`
    /// left. In a brief job, this is the time of the repetitions alone.
    pub(crate) fn share(&self, results: usize, unspent: Duration) -> Duration {
        let (count, unspent) = match (self.sizes.promised(), self.brief) {
            (promised, Some(brief)) => (promised.unwrap_or(GROWN_SIZES), brief),
            (Some(promised), None) => (promised, unspent),
            (None, None) => return unspent.min(SHARE),
        };
        let left = (count * self.candidates as usize).saturating_sub(results);
        unspent / u32::try_from(left).unwrap_or(u32::MAX).max(1)
    }

    /// Takes what the repetitions of `result` took from the time of a brief job, except for the
    /// part that the first run gave them.
    pub(crate) fn spend(&mut self, result: &MeasuredSize) {
        if let Some(left) = &mut self.brief {
            let own = result.repetitions_time().saturating_sub(result.first_run() / FIRST_PART);
            *left = left.saturating_sub(own);
        }
    }

    /// Returns the reason why a growing schedule stopped, and the n up to which the time cannot be
    /// told from that of no work. For a fixed list, returns why sizes were left out of it, if a
    /// spec has no input for them.
    pub(crate) fn end(self) -> Option<String> {
        self.end.or_else(|| self.sizes.fitted_end().map(String::from))
    }
}

#[cfg(test)]
mod tests;
