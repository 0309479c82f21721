//! Sizes that are measured for growth alone.

use super::extra_runs::{ExtraRuns, KnownSizes, LEAST_COUNTED, allowed};
use crate::error::SandboxFault;
use crate::job::{Inputs, Job, Options, Point, RunLimits};
use crate::limits::{
    COUNTED_SIZES_PART, COUNTED_STOP_PART, ENOUGH_SIZES, GROWTH_SHARE, GROWTH_SIZES_BUDGET,
    GROWTH_TIMEOUT, MAX_CHOSEN_SIZE, MAX_SIZE,
};
use crate::measure::schedule::Schedule;
use crate::measure::session::MeasureSession;
use crate::measure::size::settled_result;
use crate::report::{MeasuredSize, largest_ok};
use profiler_growth::Effort;
use std::time::{Duration, Instant};

/// Maximum ratio of an additional size to the largest requested one, if the job has no bound.
const BEYOND: u64 = 10;

/// Time budget of additional sizes.
#[derive(Debug, Clone, Copy)]
struct SizesBudget {
    /// Time of all sizes together, if no run takes longer than its time limit.
    total: Duration,
    /// Time of all sizes together in the worst case: a run can last until the hard stop of its wall
    /// clock.
    most: Duration,
    /// Time limit of one run.
    timeout: Duration,
    /// Time of the repetitions of one size.
    share: Duration,
}

/// Measures additional sizes.
pub(crate) async fn measure(
    session: &mut MeasureSession<'_>,
    known: KnownSizes<'_>,
) -> Result<ExtraRuns, SandboxFault> {
    let job = session.job;
    let allowed = allowed(job, known.sizes, known.took);
    let mut extra_runs = ExtraRuns { allowed, ..ExtraRuns::default() };
    if job.sizes.promised().is_none() || matches!(job.inputs, Inputs::Explicit(_)) {
        return Ok(extra_runs);
    }
    let Some(budget) = budget(job, known.sizes, allowed) else { return Ok(extra_runs) };
    let begun = Instant::now();
    let limits = RunLimits { timeout: budget.timeout, ..job.limits };
    let options = Options { repetitions: None, ..job.options.clone() };
    let shorter = Job { limits, options, ..job.clone() };
    session.forget_input();
    let mut runs = MeasureSession::new(&shorter, session.channel, session.core);
    extra_runs.sizes = add_sizes(&mut runs, known, budget).await?;
    extra_runs.spent = begun.elapsed();
    Ok(extra_runs)
}

/// Returns the budget of additional sizes; `None` if no sizes are added.
fn budget(job: &Job, sizes: &[MeasuredSize], allowed: Duration) -> Option<SizesBudget> {
    if job.options.growth == Effort::Full {
        let timeout = job.limits.timeout.min(GROWTH_TIMEOUT);
        let (total, most) = (GROWTH_SIZES_BUDGET, GROWTH_SIZES_BUDGET);
        return Some(SizesBudget { total, most, timeout, share: GROWTH_SHARE });
    }
    let mut good: Vec<_> = sizes
        .iter()
        .filter(|size| size.is_ok() && size.size >= LEAST_COUNTED)
        .map(|size| size.size)
        .collect();
    good.dedup();
    let is_short = good.len() < ENOUGH_SIZES && sizes.iter().any(|size| !size.is_ok());
    let timeout = (allowed / COUNTED_STOP_PART).min(job.limits.timeout);
    let total = allowed / COUNTED_SIZES_PART;
    is_short.then_some(SizesBudget { total, most: allowed, timeout, share: timeout })
}

/// Returns the limit of additional sizes. It is within the bound, below every failed size and, if
/// the job declares inputs, within the largest requested size.
fn reach(job: &Job, sizes: &[MeasuredSize]) -> u64 {
    let requested = job.sizes.requested().last().copied().unwrap_or(0);
    let most = if requested > MAX_CHOSEN_SIZE { MAX_SIZE } else { MAX_CHOSEN_SIZE };
    let beyond = requested.max(1).saturating_mul(BEYOND).min(most);
    let bound = job.sizes.n_max().unwrap_or(beyond);
    let failed = sizes.iter().find(|size| !size.is_ok());
    let bound = failed.map_or(bound, |failed| bound.min(failed.size.saturating_sub(1)));
    match &job.inputs {
        Inputs::Size => bound,
        Inputs::Explicit(_) | Inputs::Described(_) => bound.min(requested),
    }
}

/// Measures additional sizes by a growing schedule, in which each result determines the next size.
/// Returns the sizes that ended OK and whose runs all did the same work.
async fn add_sizes(
    runs: &mut MeasureSession<'_>,
    known: KnownSizes<'_>,
    budget: SizesBudget,
) -> Result<Vec<MeasuredSize>, SandboxFault> {
    let (job, begun) = (runs.job, Instant::now());
    let candidate = largest_ok(known.sizes).map_or(0, |largest| largest.candidate);
    let sizes = job.sizes.growing(1, reach(job, known.sizes));
    let mut schedule = Schedule::over(&sizes, job.limits.timeout);
    let mut results: Vec<MeasuredSize> = Vec::new();
    let mut added = Vec::new();
    loop {
        let spent = begun.elapsed();
        let unspent = budget.total.saturating_sub(spent);
        let slowest = job.limits.wall_stop() + budget.share;
        if unspent < budget.timeout + budget.share || budget.most < spent + slowest {
            return Ok(added);
        }
        let Some(size) = schedule.next(&results, unspent) else {
            return Ok(added);
        };
        let point = Point { size, candidate };
        if let Some(timed) = known.sizes.iter().find(|timed| timed.point() == point) {
            results.push(timed.clone());
            continue;
        }
        if let Inputs::Described(candidates) = &job.inputs
            && !candidates.reach(size)
        {
            return Ok(added);
        }
        let ran = runs.timed(point, budget.share).await?;
        // GNU time is a cross-check of requested sizes only, so its unreadable output just ends the
        // loop.
        let Ok(mut result) = settled_result(job, point, &ran, known.start_up) else {
            return Ok(added);
        };
        result.fed = runs.fed();
        // No second look decides here which of two ways is the program's own, so a size with two
        // ways is no evidence.
        if result.is_ok() && result.two_ways().is_none() {
            added.push(result.clone());
        }
        results.push(result);
    }
}
