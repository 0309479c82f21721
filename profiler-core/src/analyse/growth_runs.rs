//! What is measured for growth alone, and what it is told from.
//!
//! With `growth: full` sizes are added between those that were asked for, and behind them where the
//! bound and the inputs allow it; then instructions are counted at some of all sizes: by lines, or
//! those of whole runs where that cannot be; and at the same sizes the most that is live on the
//! heap is recorded. The sizes are measured with the job's own, the rest when the measured core has
//! been given back. Everything but two compiles is within a budget of its own, and none of it is
//! among the report's sizes.

use crate::analyse::allocations;
use crate::analyse::instructions::{CountOutcome, count_once, trusted};
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::figures::units::ms;
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

/// By what factor a size may be larger than every size that was asked for, where the job has no
/// bound.
const BEYOND: u32 = 10;
/// Sizes are counted over a range of this factor, and from [`SMALL`] on anyway.
const COUNTED_RANGE: f64 = 3000.0;
/// A size that costs little to count: what reaches far beyond it grows slowly, which a wide range
/// shows.
const SMALL: f64 = 1000.0;
/// Up to this size all sizes are close together, and the largest are counted.
const DENSE: u32 = 64;
/// The least size that is counted: below it constants are all there is.
const LEAST_COUNTED: u32 = 4;
/// What a run that is looked into takes beside the program at least, in milliseconds.
const START_MS: f64 = 100.0;
/// How much slower the next size may be looked into than the last one was.
const SLOWER: f64 = 1.5;
const MS_PER_SECOND: f64 = 1e3;

/// What was measured for growth alone.
#[derive(Debug, Default)]
pub(crate) struct ExtraRuns {
    sizes: Vec<SizeResult>,
    counts: Vec<Counts>,
    heaps: Vec<(u32, f64)>,
    spent: Duration,
}

/// The builds that growth alone needs, and whether the sandbox has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Built {
    /// The one that is counted by lines.
    lines: bool,
    /// The one that records what it allocates.
    allocations: bool,
}

/// How long a run takes that is looked into: starting it, and by what factor the program is slower.
#[derive(Debug, Clone, Copy)]
struct Pace {
    start_ms: f64,
    slow_down: f64,
}

/// What the job has measured before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownSizes<'a> {
    pub(crate) sizes: &'a [SizeResult],
    /// The runs of the empty program.
    pub(crate) start_up: &'a [Sample],
}

/// What one run counted, and by what factor it was slower.
struct CountedRun {
    counts: Counts,
    slower: f64,
}

/// Whether a job has anything measured for growth alone.
pub(crate) fn is_measured(job: &Job) -> bool {
    job.growth == Effort::Full && job.interactor.is_none()
}

impl Pace {
    /// Before anything is known.
    fn of(slow_down: u32) -> Self {
        Self { start_ms: START_MS, slow_down: slow_down.into() }
    }

    /// Whether a run of `size` ends before `end`: the time until then, if so.
    fn fits(self, size: &SizeResult, end: Instant) -> Option<Duration> {
        let left = end.saturating_duration_since(Instant::now());
        let expected_ms = self.start_ms + size.runtime_ms() * self.slow_down * SLOWER;
        (expected_ms <= left.as_secs_f64() * MS_PER_SECOND).then_some(left)
    }

    /// Learns from a run that was so much slower; all in all it took so long.
    fn learn(&mut self, size: &SizeResult, slower: f64, took: Duration) {
        // Starting is a part of it that gets smaller.
        self.slow_down = self.slow_down.min(slower);
        let took_ms = took.as_secs_f64() * MS_PER_SECOND;
        self.start_ms = START_MS.max(took_ms - size.runtime_ms() * slower);
    }
}

/// Measures sizes of its own on `channel`, with the program pinned to `core`.
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

/// Puts the builds into the sandbox that growth alone needs, and says which are there.
pub(crate) async fn compile(
    job: &Job,
    builder: &Builder,
    sandbox: &mut Sandbox,
) -> Result<Built, SandboxFault> {
    let lines = builder.obtain(job, sandbox, Variant::Lines).await?.compiled;
    let refused = allocations::compile(job, builder, sandbox).await?;
    Ok(Built { lines: lines.binary.is_some(), allocations: refused.is_none() })
}

/// Counts and records on `channel` what takes no time of its own, and so no core either. Returns
/// the warnings.
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

/// How far sizes may go: to the bound, not to a size that failed, and to no longer input than was
/// asked for.
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

/// Adds sizes, each of which says what the next one is, as in a schedule that grows.
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
        // Whatever the next size takes, it ends in time.
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
        // GNU time's text is a cross-check of requested sizes; here it decides nothing.
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

/// Counts at the chosen sizes, the small ones first: how much slower a run is that way decides
/// whether the next size can be counted in what is left.
async fn count_sizes(
    runs: &mut MeasureSession<'_>,
    mut by_line: bool,
    chosen: &[SizeResult],
    extra_runs: &mut ExtraRuns,
    end: Instant,
) -> Result<Vec<Warning>, SandboxFault> {
    let mut warnings = Vec::new();
    let mut pace = Pace::of(COUNT_SLOW_DOWN);
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
                warnings.push(Warning::at(WarningCode::GrowthUnsupported, point, message));
                break;
            }
            Err(_) => {}
        }
    }
    Ok(warnings)
}

/// Records the most that is live on the heap at the chosen sizes, as far as there is time.
async fn record(
    runs: &mut MeasureSession<'_>,
    chosen: &[SizeResult],
    extra_runs: &mut ExtraRuns,
    end: Instant,
) -> Result<(), SandboxFault> {
    let mut pace = Pace::of(RECORD_SLOW_DOWN);
    for size in chosen {
        let Some(left) = pace.fits(size, end) else { break };
        let started = Instant::now();
        let told = runs.allocated(size.point(), left.min(MAX_RECORD)).await?;
        // Without a whole record the peak may have been higher.
        let whole = told.record.filter(|record| record.sums.untracked == 0);
        if let Some(record) = whole.filter(|_| told.execution.ending.is_success()) {
            extra_runs.heaps.push((size.size, record.sums.peak_bytes as f64 / MIB as f64));
            let slower = ms(told.execution.sample.wall_ns) / size.runtime_ms();
            pace.learn(size, slower, started.elapsed());
        }
    }
    Ok(())
}

/// Counts one run, `by_line` until a run cannot be told by lines, and says by what factor it was
/// slower.
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
            // Whole runs may be countable all the same.
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

/// The sizes to count at, rising: evenly spaced over orders of magnitude, up to the largest, of
/// each the slowest candidate.
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

/// How the program grows, once all is measured and on one clock; nothing is said of interactive
/// tasks.
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
    let requested = report.sizes.iter().map(|size| seen(size, false));
    let sizes = requested.chain(extra_runs.sizes.iter().map(|size| seen(size, true))).collect();
    if job.growth == Effort::Timed {
        extra_runs.counts = counts_of(report);
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

/// What the job counted anyway, of each size the most.
fn counts_of(report: &ProfileReport) -> Vec<Counts> {
    let candidates = report.sizes.chunk_by(|a, b| a.size == b.size);
    let counts = candidates.filter_map(|candidates| {
        let most = candidates.iter().filter_map(|c| c.instructions).map(|i| i.count).max()?;
        let size = candidates.first()?.size;
        Some(Counts { size, instructions: Some(most), ..Counts::default() })
    });
    counts.collect()
}

fn seen(result: &SizeResult, extra: bool) -> SizeObservation {
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
