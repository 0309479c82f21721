//! Measures what only the growth class needs, and classifies growth.
//!
//! With `growth: full`, sizes are added between the requested ones, and above them if the bound and
//! the inputs allow it. Then instructions are counted at some of all sizes, by line or for whole
//! runs, and the heap's peak is recorded there. Additional sizes are measured on the measured core,
//! right after the job's own. Counting and recording run after that core is released. Everything
//! except two compilations has its own time budget, and no result is added to the report's sizes.

use crate::analyse::allocations;
use crate::analyse::instructions::{CountOutcome, count_once, trusted};
use crate::analyse::pace::Pace;
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::figures::units::{MS_PER_SECOND, ms};
use crate::job::Point;
use crate::job::RunLimits;
use crate::job::{Inputs, Job};
use crate::limits::{
    COUNT_SLOW_DOWN, GROWTH_BUDGET, GROWTH_COUNTS, GROWTH_SHARE, GROWTH_SIZES_BUDGET,
    GROWTH_TIMEOUT, MAX_COUNT, MAX_RECORD, MIB, RECORD_SLOW_DOWN,
};
use crate::measure::schedule::Schedule;
use crate::measure::session::MeasureSession;
use crate::measure::size::settled_result;
use crate::report::{Outcome, ProfileReport, SizeResult, Warning, WarningCode, largest_ok};
use crate::sandbox::{Channel, Sandbox};
use profiler_growth::Effort;
use profiler_growth::{self as growth, Counts, Growth, Observed, SizeObservation};
use runner_protocol::{Sample, Trace, Variant};
use std::time::{Duration, Instant};

/// How much larger than the largest requested size an additional one may be, if the job has no
/// bound.
const BEYOND: u32 = 10;
/// The largest counted size is at most this many times the smallest, unless the smallest is
/// [`SMALL`].
const COUNTED_RANGE: f64 = 3000.0;
/// A size that is cheap to count. A program that reaches far beyond it grows slowly, so the range
/// may be wide.
const SMALL: f64 = 1000.0;
/// If the largest size is at most this, all sizes are close together, and the largest ones are
/// counted.
const DENSE: u32 = 64;
/// The smallest counted size. Below it, constant costs dominate.
const LEAST_COUNTED: u32 = 4;

/// The measurements that only growth needs.
#[derive(Debug, Default)]
pub(crate) struct ExtraRuns {
    sizes: Vec<SizeResult>,
    counts: Vec<Counts>,
    heaps: Vec<(u32, f64)>,
    spent: Duration,
}

/// Which of the builds for growth the sandbox has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Built {
    /// The build that is counted by line.
    lines: bool,
    /// The build that records allocations.
    allocations: bool,
}

/// The job's own measurements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownSizes<'a> {
    pub(crate) sizes: &'a [SizeResult],
    /// The runs of the empty program.
    pub(crate) start_up: &'a [Sample],
}

/// The counts of one run, and its slow-down.
struct CountedRun {
    counts: Counts,
    slower: f64,
}

/// Whether a job needs measurements only for growth.
pub(crate) fn is_measured(job: &Job) -> bool {
    job.growth == Effort::Full && job.interactor.is_none()
}

/// Measures additional sizes on `channel`, with the program pinned to `core`.
pub(crate) async fn measure(
    job: &Job,
    channel: &mut Channel,
    core: Option<u32>,
    known: KnownSizes<'_>,
) -> Result<ExtraRuns, SandboxFault> {
    let mut extra_runs = ExtraRuns::default();
    let Some(largest) = largest_ok(known.sizes) else {
        return Ok(extra_runs);
    };
    if job.sizes.promised().is_some() && !matches!(job.inputs, Inputs::Explicit(_)) {
        let begun = Instant::now();
        let limits = RunLimits { timeout: job.limits.timeout.min(GROWTH_TIMEOUT), ..job.limits };
        let shorter = Job { limits, ..job.clone() };
        let mut runs = MeasureSession::new(&shorter, channel, core);
        add_sizes(&mut runs, known, largest.candidate, &mut extra_runs, begun).await?;
        extra_runs.spent = begun.elapsed();
    }
    Ok(extra_runs)
}

/// Puts the builds for growth into the sandbox, and returns which ones compiled.
pub(crate) async fn compile(
    job: &Job,
    builder: &Builder,
    sandbox: &mut Sandbox,
) -> Result<Built, SandboxFault> {
    let lines = builder.obtain(job, sandbox, Variant::Lines).await?.compiled;
    let refused = allocations::compile(job, builder, sandbox).await?;
    Ok(Built { lines: lines.binary.is_some(), allocations: refused.is_none() })
}

/// Counts instructions and records the heap on `channel`. Both are independent of load, so they
/// need no measured core. Returns the warnings.
pub(crate) async fn look_into(
    job: &Job,
    channel: &mut Channel,
    built: Built,
    sizes: &[SizeResult],
    extra_runs: &mut ExtraRuns,
) -> Result<Vec<Warning>, SandboxFault> {
    let begun = Instant::now();
    let end = begun + GROWTH_BUDGET.saturating_sub(extra_runs.spent);
    let chosen: Vec<SizeResult> = chosen(sizes, extra_runs).into_iter().cloned().collect();
    let mut runs = MeasureSession::new(job, channel, None);
    let warnings = count_sizes(&mut runs, built.lines, &chosen, extra_runs, end).await?;
    if built.allocations {
        record(&mut runs, &chosen, extra_runs, end).await?;
    }
    extra_runs.spent += begun.elapsed();
    Ok(warnings)
}

/// The largest additional size. It stays within the bound, below every failed size, and within the
/// longest requested input.
fn reach(job: &Job, sizes: &[SizeResult]) -> u32 {
    let requested = job.sizes.requested().last().copied().unwrap_or(0);
    let bound = job.sizes.n_max().unwrap_or(requested.max(1).saturating_mul(BEYOND));
    let failed = sizes.iter().find(|size| !size.is_ok());
    let bound = failed.map_or(bound, |failed| bound.min(failed.size.saturating_sub(1)));
    match &job.inputs {
        Inputs::Size => bound,
        Inputs::Explicit(_) | Inputs::Described(_) => bound.min(requested),
    }
}

/// Measures additional sizes by a growing schedule: each result determines the next size.
async fn add_sizes(
    runs: &mut MeasureSession<'_>,
    known: KnownSizes<'_>,
    candidate: u32,
    extra_runs: &mut ExtraRuns,
    begun: Instant,
) -> Result<(), SandboxFault> {
    let job = runs.job;
    let sizes = job.sizes.growing(1, reach(job, known.sizes));
    let mut schedule = Schedule::over(&sizes, job.limits.timeout);
    let mut results: Vec<SizeResult> = Vec::new();
    loop {
        let unspent = GROWTH_SIZES_BUDGET.saturating_sub(begun.elapsed());
        // Stop unless even the slowest next size fits into the budget.
        if unspent < job.limits.wall_stop() + GROWTH_SHARE {
            return Ok(());
        }
        let Some(size) = schedule.next(&results, unspent) else {
            return Ok(());
        };
        let point = Point { size, candidate };
        if let Some(timed) = known.sizes.iter().find(|timed| timed.point() == point) {
            results.push(timed.clone());
            continue;
        }
        if let Inputs::Described(candidates) = &job.inputs
            && !candidates.reach(size)
        {
            return Ok(());
        }
        let ran = runs.timed(point, GROWTH_SHARE).await?;
        // GNU time cross-checks requested sizes only. An unreadable output just ends this loop.
        let Ok(mut result) = settled_result(job, point, &ran, known.start_up) else {
            return Ok(());
        };
        result.input_bytes = runs.input_bytes();
        if result.is_ok() {
            extra_runs.sizes.push(result.clone());
        }
        results.push(result);
    }
}

/// Counts at the chosen sizes, smallest first. Each slow-down predicts whether the next size fits
/// into the remaining time.
async fn count_sizes(
    runs: &mut MeasureSession<'_>,
    mut by_line: bool,
    chosen: &[SizeResult],
    extra_runs: &mut ExtraRuns,
    end: Instant,
) -> Result<Vec<Warning>, SandboxFault> {
    let mut warnings = Vec::new();
    let mut pace = Pace::assuming(COUNT_SLOW_DOWN);
    runs.place_counter().await?;
    for size in chosen {
        let Some(left) = pace.fits(size, end) else { break };
        let started = Instant::now();
        match counted(runs, size, &mut by_line, left.min(MAX_COUNT)).await? {
            Ok(CountedRun { counts, slower }) => {
                pace.learn(size, slower, started.elapsed());
                extra_runs.counts.push(counts);
            }
            Err(uncounted) if uncounted.code == WarningCode::InstructionsUnsupported => {
                let (point, message) = (size.point(), uncounted.message);
                warnings.push(Warning::about(WarningCode::GrowthUnsupported, point, message));
                break;
            }
            Err(_) => {}
        }
    }
    Ok(warnings)
}

/// Records the heap's peak at the chosen sizes, while there is time.
async fn record(
    runs: &mut MeasureSession<'_>,
    chosen: &[SizeResult],
    extra_runs: &mut ExtraRuns,
    end: Instant,
) -> Result<(), SandboxFault> {
    let mut pace = Pace::assuming(RECORD_SLOW_DOWN);
    for size in chosen {
        let Some(left) = pace.fits(size, end) else { break };
        let started = Instant::now();
        let allocated = runs.allocated(size.point(), left.min(MAX_RECORD)).await?;
        // If some blocks were not tracked, the peak may have been higher.
        let whole = allocated.record.filter(|record| record.sums.untracked == 0);
        if let Some(record) = whole.filter(|_| allocated.execution.ending.is_success()) {
            extra_runs.heaps.push((size.size, record.sums.peak_bytes as f64 / MIB as f64));
            let slower = ms(allocated.execution.sample.wall_ns) / size.runtime_ms();
            pace.learn(size, slower, started.elapsed());
        }
    }
    Ok(())
}

/// Counts one run. Clears `by_line` once a run cannot be counted by line.
async fn counted(
    runs: &mut MeasureSession<'_>,
    size: &SizeResult,
    by_line: &mut bool,
    within: Duration,
) -> Result<CountOutcome<CountedRun>, SandboxFault> {
    if *by_line {
        let traced = runs.trace(size.point(), within).await?;
        let slow_down = ms(traced.execution.sample.wall_ns) / size.runtime_ms();
        match trusted(traced.trace, &traced.execution, &traced.written, size) {
            Ok(trace) if !trace.lines.is_empty() => {
                let counts = by_lines(size.size, &trace);
                return Ok(Ok(CountedRun { counts, slower: slow_down }));
            }
            Err(uncounted) if uncounted.code != WarningCode::InstructionsUnsupported => {
                return Ok(Err(uncounted));
            }
            // The whole run may still be countable.
            _ => *by_line = false,
        }
    }
    let counted = match size.instructions {
        Some(counted) => Ok(counted),
        None => count_once(runs, size, within).await?,
    };
    Ok(counted.map(|counted| {
        let instructions = Some(counted.count);
        let counts = Counts { size: size.size, instructions, ..Counts::default() };
        CountedRun { counts, slower: counted.slow_down }
    }))
}

fn by_lines(size: u32, trace: &Trace) -> Counts {
    let costly = trace.lines.iter().filter(|line| line.line > 0 && line.instructions > 0);
    Counts {
        size,
        instructions: Some(trace.instructions),
        own: Some(trace.own_instructions),
        lines: costly.map(|line| (line.line, line.instructions)).collect(),
    }
}

/// The sizes to count at, rising, with the slowest candidate of each. They are evenly spaced on a
/// logarithmic scale, up to the largest.
fn chosen<'a>(sizes: &'a [SizeResult], extra_runs: &'a ExtraRuns) -> Vec<&'a SizeResult> {
    let slower = |a: &&SizeResult, b: &&SizeResult| {
        a.size.cmp(&b.size).then(b.runtime_ms().total_cmp(&a.runtime_ms()))
    };
    let all = sizes.iter().chain(&extra_runs.sizes);
    let mut all: Vec<_> = all.filter(|s| s.is_ok() && s.size >= LEAST_COUNTED).collect();
    all.sort_by(slower);
    all.dedup_by_key(|size| size.size);
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return all;
    };
    if last.size <= DENSE || all.len() <= GROWTH_COUNTS {
        let surplus = all.len().saturating_sub(GROWTH_COUNTS);
        return all.split_off(surplus);
    }
    let high = f64::from(last.size);
    let low = f64::from(first.size).max((high / COUNTED_RANGE).min(SMALL));
    let distance = |size: u32, target: f64| (f64::from(size) / target).ln().abs();
    let mut chosen: Vec<_> = (0..GROWTH_COUNTS)
        .filter_map(|at| {
            let target = low * (high / low).powf(at as f64 / (GROWTH_COUNTS - 1) as f64);
            let nearest = |a: &&&SizeResult, b: &&&SizeResult| {
                distance(a.size, target).total_cmp(&distance(b.size, target))
            };
            all.iter().min_by(nearest).copied()
        })
        .collect();
    chosen.dedup_by_key(|size| size.size);
    chosen
}

/// Classifies how the program grows, from a finished report. `None` for interactive tasks.
pub(crate) fn classify(
    job: &Job,
    report: &ProfileReport,
    mut extra_runs: ExtraRuns,
) -> Option<Growth> {
    if job.interactor.is_some() {
        return None;
    }
    let begun = Instant::now();
    let start_up = report.start_up.as_ref();
    let samples = start_up.map_or(&[][..], |start_up| &start_up.samples);
    for size in &mut extra_runs.sizes {
        size.settle(report.clock, samples);
    }
    let millis = |duration: Duration| duration.as_secs_f64() * MS_PER_SECOND;
    let requested = report.sizes.iter().map(|size| observation(size, false));
    let sizes =
        requested.chain(extra_runs.sizes.iter().map(|size| observation(size, true))).collect();
    if job.growth == Effort::Timed {
        extra_runs.counts = reported_counts(report);
    }
    let growth = growth::classify(&Observed {
        effort: job.growth,
        sizes,
        counts: extra_runs.counts,
        heaps: extra_runs.heaps,
        start_up_ms: start_up.map(|start_up| start_up.figures.headline.ms),
        start_up_mb: start_up.map(|start_up| start_up.figures.peak_memory_mb.max),
        reads: !matches!(job.inputs, Inputs::Size),
        n_max: job.sizes.n_max(),
        time_limit_ms: millis(job.runtime_limit.unwrap_or(job.limits.timeout)),
        timeout_ms: millis(job.limits.timeout),
        memory_limit_mb: job.limits.memory_bytes as f64 / MIB as f64,
        spent_ms: millis(extra_runs.spent),
    });
    Some(Growth { spent_ms: growth.spent_ms + millis(begun.elapsed()), ..growth })
}

/// The counts of the report, the largest of each size.
fn reported_counts(report: &ProfileReport) -> Vec<Counts> {
    let candidates = report.sizes.chunk_by(|a, b| a.size == b.size);
    let counts = candidates.filter_map(|candidates| {
        let most = candidates.iter().filter_map(|c| c.instructions).map(|i| i.count).max()?;
        let size = candidates.first()?.size;
        Some(Counts { size, instructions: Some(most), ..Counts::default() })
    });
    counts.collect()
}

fn observation(result: &SizeResult, extra: bool) -> SizeObservation {
    let figures = result.figures.as_ref().filter(|_| result.is_ok());
    SizeObservation {
        size: result.size,
        runtime_ms: figures.map(|figures| figures.headline.ms),
        width_ms: figures.map_or(0.0, |figures| figures.headline.width_ms()),
        peak_memory_mb: figures.map(|figures| figures.peak_memory_mb.max),
        data_stack_mb: result.memory.and_then(|memory| memory.data_stack_mb),
        input_bytes: result.input_bytes,
        over_time: result.outcome == Outcome::TimeLimit,
        over_memory: result.outcome == Outcome::MemoryLimit,
        extra,
    }
}
