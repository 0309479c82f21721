//! Classifies growth from a report and the measurements that only growth needs.

use super::extra_runs::ExtraRuns;
use crate::figures::Sample;
use crate::figures::units::{MS_PER_SECOND, mib, ms};
use crate::job::{Inputs, Job};
use crate::limits::MIB;
use crate::measure::input_check::opened_file::opened_path;
use crate::report::{MeasuredSize, ReportBuilder};
use profiler_growth::{
    self as growth, Class, Classification, Counts, Growth, Observed, SizeObservation, Undecided,
};
use profiler_proto::v1::{InputCheck, InputUse, Outcome};
use std::time::{Duration, Instant};

/// Shortest mean of the runs, and of all runs together, whose kernel's share is known, in
/// milliseconds. Most kernels sample the share by ticks of 4 or 10 ms, and starting a program is
/// mostly the kernel's work.
const LEAST_RUN_MS: f64 = 20.0;
const LEAST_RUNS_MS: f64 = 100.0;
/// Time in which the kernel provides the 256 pages of a MiB, in milliseconds. A page takes 0.25 to
/// 1 µs when the program first uses it, and growth of memory has a class of its own. A program that
/// holds much memory can hide as much other work of the kernel.
const MIB_MS: f64 = 0.256;

/// Probability of the class 1 from which it is possible that the input changes nothing.
const MAYBE_CONSTANT: f64 = 0.05;

/// Classifies growth from the settled report of a run that ended early. `None` for an interactive
/// task, and if no size was measured.
pub(crate) fn classify_partial(job: &Job, report: &ReportBuilder) -> Option<Growth> {
    if report.sizes().is_empty() || job.interactor.is_some() {
        return None;
    }
    if matches!(job.inputs, Inputs::Size) && report.input_check().is_none() {
        return Some(unknown(job, "the run ended before its input was checked".into()));
    }
    classify(job, report, ExtraRuns::default())
}

/// Classifies growth from a settled report. `None` for an interactive task, and for a job without
/// sizes.
pub(crate) fn classify(
    job: &Job,
    report: &ReportBuilder,
    mut extra_runs: ExtraRuns,
) -> Option<Growth> {
    if job.interactor.is_some() || job.options.reward || job.stress.is_some() {
        return None;
    }
    if report.input_check().is_some_and(InputCheck::is_without_input) {
        return Some(unknown(job, "the program lacked input".into()));
    }
    let left_out = report.sizes().iter().all(|size| size.verdict.outcome == Outcome::NotRun);
    if left_out && report.is_wrong() {
        return Some(unknown(job, "the program is wrong on a test case".into()));
    }
    if left_out && report.lacks_verdicts() {
        return Some(unknown(job, "not every test case has a verdict".into()));
    }
    let differs = |size: &&MeasuredSize| size.fails_cold || size.two_ways().is_some();
    if let Some(size) = report.sizes().iter().find(differs) {
        let why = format!("the program behaves in two ways on the same input of n = {}", size.size);
        return Some(unknown(job, why));
    }
    let begun = Instant::now();
    for size in &mut extra_runs.sizes {
        size.settle(report.clock(), report.start_up_samples());
    }
    let start_up = report.start_up();
    let millis = |duration: Duration| duration.as_secs_f64() * MS_PER_SECOND;
    let requested = report.sizes().iter().map(|size| observation(size, false));
    let sizes =
        requested.chain(extra_runs.sizes.iter().map(|size| observation(size, true))).collect();
    if report.doubts_counts() {
        extra_runs.refuse_counts();
    }
    if extra_runs.counts.is_empty() && !extra_runs.refuses_counts {
        extra_runs.counts = reported_counts(report.sizes());
    }
    let growth = growth::classify(&Observed {
        effort: job.options.growth,
        sizes,
        counts: extra_runs.counts,
        primes: extra_runs.primes,
        lacks_primes: extra_runs.lacks_primes,
        uncountable: extra_runs.uncountable,
        heaps: extra_runs.heaps,
        start_up_ms: start_up.as_ref().map(|it| it.runtime_ms),
        start_up_mb: start_up.as_ref().map(|it| it.peak_memory_mb),
        processors: Some(report.host().cpus),
        reads: !matches!(job.inputs, Inputs::Size),
        n_max: job.sizes.n_max(),
        time_limit_ms: millis(job.runtime_limit.unwrap_or(job.limits.timeout)),
        timeout_ms: millis(job.limits.timeout),
        memory_limit_mb: job.limits.memory_bytes as f64 / MIB as f64,
        spent_ms: millis(extra_runs.spent),
    });
    if let Some(file) = read_instead(job, report, &growth) {
        let why = format!(
            "it reads nothing of its input, and opens {file}: name this file as the input file, or \
             read the standard input instead"
        );
        return Some(unknown(job, why));
    }
    Some(Growth { spent_ms: growth.spent_ms + millis(begun.elapsed()), ..growth })
}

/// Returns the name of the file that the program opens, if nothing shows that the program reads its
/// input.
fn read_instead(job: &Job, report: &ReportBuilder, growth: &Growth) -> Option<String> {
    let reads = report.input_check().is_some_and(|check| match check.input_use() {
        InputUse::ReadsToEnd | InputUse::Starved => true,
        // The last word of a declared input is needed.
        InputUse::Enough => check.unread_bytes == Some(0),
        InputUse::Unspecified | InputUse::Unknown => false,
    });
    let time = &growth.time;
    let constant = time.ranked.iter().find(|(class, _)| *class == Class::Constant);
    let grows = match constant {
        Some((_, share)) => *share < MAYBE_CONSTANT,
        // Without any signal, too few sizes ended OK to show growth.
        None => !time.signals.is_empty(),
    };
    if reads || grows || job.options.files.input.is_some() {
        return None;
    }
    job.sources().find_map(opened_path)
}

/// Makes the growth of a program whose figures cannot be classified, with the reason.
fn unknown(job: &Job, undecided: String) -> Growth {
    let undecided = Undecided { reason: undecided, remedies: Vec::new() };
    let unknown = Classification { undecided, ..Classification::default() };
    Growth {
        time: unknown.clone(),
        memory: unknown,
        effort: job.options.growth,
        spent_ms: 0.0,
        observed: None,
    }
}

/// Returns the instruction counts of the report. For each size, the largest count of its
/// candidates.
fn reported_counts(sizes: &[MeasuredSize]) -> Vec<Counts> {
    let candidates = sizes.chunk_by(|a, b| a.size == b.size);
    let counts = candidates.filter_map(|candidates| {
        let most = candidates.iter().filter_map(|c| c.instructions).map(|i| i.count).max()?;
        let size = candidates.first()?.size;
        Some(Counts { size, instructions: Some(most), ..Counts::default() })
    });
    counts.collect()
}

fn observation(result: &MeasuredSize, extra: bool) -> SizeObservation {
    let headline = result.ok_figures().and_then(|figures| figures.headline);
    let interval = headline.and_then(|headline| headline.interval);
    SizeObservation {
        size: result.size,
        runtime_ms: headline.map(|headline| headline.ms),
        width_ms: interval.map_or(0.0, |interval| interval.width()),
        kernel_share: kernel_share(&result.samples),
        peak_memory_mb: headline.map(|_| result.peak_memory_mb()),
        anonymous_mb: result.memory.and_then(|memory| memory.anonymous_bytes).map(mib),
        data_stack_mb: result.memory.map(|memory| mib(memory.data_stack_bytes)),
        input_bytes: result.fed.map(|fed| fed.bytes),
        over_time: result.verdict.outcome == Outcome::TimeLimit,
        over_memory: result.verdict.outcome == Outcome::MemoryLimit,
        extra,
    }
}

/// Share of the processor time of all runs that the kernel takes, apart from providing memory;
/// `None` if the runs are too short to know it.
fn kernel_share(runs: &[Sample]) -> Option<f64> {
    let all_ms: f64 = runs.iter().map(|run| ms(run.user_ns) + ms(run.sys_ns)).sum();
    let kernel_ms: f64 = runs.iter().map(worked_in_kernel_ms).sum();
    let is_known = all_ms >= LEAST_RUNS_MS.max(LEAST_RUN_MS * runs.len() as f64);
    is_known.then(|| kernel_ms / all_ms)
}

/// Time that a run spends in the kernel, apart from providing memory.
pub(crate) fn worked_in_kernel_ms(run: &Sample) -> f64 {
    (ms(run.sys_ns) - MIB_MS * mib(run.peak_rss_bytes)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel's share, in percent, in `count` runs with these times and this peak.
    fn percent(count: usize, user_ms: u64, sys_ms: u64, peak_mib: u64) -> Option<f64> {
        let run = Sample {
            user_ns: user_ms * 1_000_000,
            sys_ns: sys_ms * 1_000_000,
            peak_rss_bytes: peak_mib * MIB,
            ..Sample::default()
        };
        kernel_share(&vec![run; count]).map(|share| (100.0 * share).round())
    }

    #[test]
    fn share_of_the_kernel_is_known_from_enough_ticks() {
        assert_eq!(percent(5, 15, 5, 0), Some(25.0));
        assert_eq!(percent(5, 15, 4, 0), None, "a run is too short");
        assert_eq!(percent(4, 15, 5, 0), None, "all runs together are too short");
        assert_eq!(percent(1, 0, 100, 0), Some(100.0));
        assert_eq!(percent(0, 0, 0, 0), None);
    }

    #[test]
    fn providing_memory_is_not_the_kernels_share() {
        assert_eq!(percent(5, 60, 40, 100), Some(14.0));
        assert_eq!(percent(5, 60, 40, 1000), Some(0.0));
    }
}
