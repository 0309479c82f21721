//! Measures what only the growth class needs, and classifies growth.
//!
//! With `growth: counted`, instructions are counted at the job's own sizes. If few of them ended
//! OK, sizes below the first failure are added. All of it takes at most a share of the time that
//! the job's own measurements took.
//!
//! With `growth: full`, sizes are added between the requested ones, and above them if the bound and
//! the inputs allow it. Then instructions are counted at some of all sizes, by line or for whole
//! runs, and the heap's peak is recorded there. Everything except two compilations has its own time
//! budget.
//!
//! Additional sizes are measured on the measured core, right after the job's own. Counting and
//! recording run after that core is released. No result is added to the report's sizes.

mod counts;
mod extra_sizes;

use crate::figures::units::MS_PER_SECOND;
use crate::job::{Inputs, Job};
use crate::limits::{GROWTH_BUDGET, MIB};
use crate::report::{InputCheck, Outcome, ProfileReport, SizeResult};
use profiler_growth::Effort;
use profiler_growth::{self as growth, Classification, Counts, Growth, Observed, SizeObservation};
use runner_protocol::Sample;
use std::time::{Duration, Instant};

pub(crate) use counts::{compile, compile_lines, count, look_into};
pub(crate) use extra_sizes::measure;

/// Counting by line needs the time of this many compilations: one with debug information, and about
/// as much for the counting.
const LINES_BUILDS: u32 = 3;
/// The smallest counted size. Below it, constant costs dominate.
const LEAST_COUNTED: u32 = 4;

/// The measurements that only growth needs.
#[derive(Debug, Default)]
pub(crate) struct ExtraRuns {
    sizes: Vec<SizeResult>,
    counts: Vec<Counts>,
    heaps: Vec<(u32, f64)>,
    /// How long they may take together.
    allowed: Duration,
    spent: Duration,
}

impl ExtraRuns {
    /// Whether a build that counts by line, and counting with it, fit into the time. Without one,
    /// compiling took `compile`.
    pub(crate) fn has_time_for_lines(&self, compile: Duration) -> bool {
        LINES_BUILDS * compile <= self.allowed.saturating_sub(self.spent)
    }
}

/// The job's own measurements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownSizes<'a> {
    pub(crate) sizes: &'a [SizeResult],
    /// The runs of the empty program.
    pub(crate) start_up: &'a [Sample],
    /// The time that all of it took, without compiling.
    pub(crate) took: Duration,
}

/// Whether a job needs measurements only for growth.
pub(crate) fn is_measured(job: &Job) -> bool {
    job.growth != Effort::Timed && job.interactor.is_none()
}

/// How long measurements that only growth needs may take, after a job that `took` so long.
fn allowed(job: &Job, took: Duration) -> Duration {
    match job.growth {
        Effort::Timed => Duration::ZERO,
        Effort::Counted => took.mul_f64(job.growth_share),
        Effort::Full => GROWTH_BUDGET,
    }
}

/// Classifies how the program grows from the report of a run that ended early. `None` for
/// interactive tasks and without sizes.
pub(crate) fn classify_partial(job: &Job, report: &ProfileReport) -> Option<Growth> {
    if report.sizes.is_empty() {
        return None;
    }
    classify(job, report, ExtraRuns::default())
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
    if report.input_check.as_ref().is_some_and(InputCheck::is_without_input) {
        return Some(without_input(job));
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
    if extra_runs.counts.is_empty() {
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

/// The growth of a program that read more than its input held: its figures are another task's.
fn without_input(job: &Job) -> Growth {
    let undecided = "the input lacks what the program reads".to_owned();
    let unknown = Classification { undecided, ..Classification::default() };
    Growth { time: unknown.clone(), memory: unknown, effort: job.growth, spent_ms: 0.0 }
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
