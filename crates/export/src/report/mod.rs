//! Facts of a report that several documents show.

pub(crate) mod allocations;
pub(crate) mod curve;
pub(crate) mod default_input;
pub(crate) mod found;
mod limit;
mod printable;
mod shares;
mod slow_reading;
mod source;
pub(crate) mod verdict;
mod zero;

use profiler_proto::v1::{CompileStep, Outcome, ProfileReport, RuntimeClock, SizeResult};

pub use allocations::requesting_frame;
pub use default_input::{ended_the_run, lack_of_input};
pub(crate) use limit::{why_stopped, widened};
pub(crate) use printable::{ABSENT, INFINITE, counted, grouped, harmless};
pub use printable::{figure, readable, readable_name};
pub use shares::{hottest, of_what, share_of};
pub(crate) use shares::{line_share, of_time, slow_lines};
pub use slow_reading::slow_reading;
pub use source::hot_line;
pub(crate) use source::{is_main, is_own, line_name, text_of};
pub use verdict::{
    Rightness, TestsVerdict, judge_tests, unfinished_tests, verdict, why_not_judged, wrong_tests,
};
pub use zero::{ZERO_QUESTION, fails_at_zero_alone, failure_at_zero};

/// Mark of a peak that may be too small.
pub(crate) const AT_LEAST: &str = "≥";
/// Explanation of the mark of a peak that may be too small.
pub const AT_LEAST_NOTE: &str = "≥: of the largest process; all together were not counted";
/// The decimal places of a peak in MiB.
const PEAK_DIGITS: usize = 2;

/// A peak in MiB, marked if it is only that of the largest process.
pub fn peak_figure(mib: Option<f64>, is_lower_bound: bool) -> String {
    let peak = figure(mib, PEAK_DIGITS);
    if is_lower_bound && mib.is_some() { format!("{AT_LEAST} {peak}") } else { peak }
}

/// Returns the name of a clock.
pub fn clock_name(clock: RuntimeClock) -> &'static str {
    match clock {
        RuntimeClock::Wall => "wall clock",
        RuntimeClock::Cpu => "processor time",
        RuntimeClock::Unloaded | RuntimeClock::Unspecified => "wall clock minus run delay",
    }
}

/// Returns the compile step of the program or the interactor that gave no binary.
pub(crate) fn failed_step(report: &ProfileReport) -> Option<&CompileStep> {
    let steps = [&report.compile, &report.interactor_compile];
    steps.into_iter().flatten().find(|step| step.binary_bytes.is_none())
}

/// Returns the smallest size that did not end OK. A failure at n = 0 alone does not count.
pub fn first_failure(report: &ProfileReport) -> Option<&SizeResult> {
    let failed =
        |size: &&SizeResult| size.outcome() != Outcome::Ok && !fails_at_zero_alone(report, size);
    report.sizes.iter().filter(failed).min_by_key(|size| size.size)
}

/// Returns the name of a candidate, if the report has several.
pub(crate) fn candidate_name(report: &ProfileReport, candidate: u32) -> Option<&str> {
    let several = report.candidates.len() > 1;
    report.candidates.get(candidate as usize).filter(|_| several).map(String::as_str)
}

/// Whether the peak is only that of the largest process, because no memory cgroup counted what all
/// processes held together. An older report says only whether the memory probe counted it.
pub fn has_largest_process_only(size: &SizeResult) -> bool {
    let probed = || size.memory.as_ref().is_some_and(|memory| memory.cgroup_peak_mb.is_some());
    size.outcome() == Outcome::Ok && !size.peak_is_counted.unwrap_or_else(probed)
}
