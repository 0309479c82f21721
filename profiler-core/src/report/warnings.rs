//! Warnings about results: facts that a reader must know before trusting the figures.

use super::measured_size::MeasuredSize;
use crate::figures::units::{mib, ms};
use crate::figures::{TwoWays, are_concurrent, contradiction};
use profiler_proto::v1::{InputCheck, InputUse, Outcome, RemedyKind, Warning, WarningCode};
use runner_protocol::Sample;

/// Maximum difference between our peak and that of GNU time without a warning, in MiB.
const MEMORY_TOLERANCE_MB: f64 = 2.0;

/// The warnings about the timed runs of a size that do not depend on the clock.
pub(super) fn doubts_of_result(result: &MeasuredSize) -> Vec<Warning> {
    let mut warnings = doubts_of_failure(result);
    warnings.extend(doubt_of_ways(result));
    if let (Some(time), Some(warm_up)) = (&result.gnu_time, &result.warm_up) {
        let (theirs, ours) = (time.max_resident_mb, mib(warm_up.peak_rss_bytes));
        if (theirs - ours).abs() > MEMORY_TOLERANCE_MB {
            let problem = format!(
                "/usr/bin/time reports a peak of {theirs:.1} MiB, and the runner {ours:.1} MiB"
            );
            warnings.push(result.point().warning(WarningCode::MemoryMismatch, problem));
        }
    }
    warnings
}

/// The warnings about a size that did not end OK.
pub(super) fn doubts_of_failure(result: &MeasuredSize) -> Vec<Warning> {
    if matches!(result.verdict.outcome, Outcome::Ok | Outcome::NotRun) {
        return Vec::new();
    }
    let (point, mut warnings) = (result.point(), Vec::new());
    let ended = result.verdict.outcome.name();
    let signal = result.verdict.evidence.signal.as_ref();
    let signal = signal.map_or_else(String::new, |signal| format!(" ({signal})"));
    let problem = match result.verdict.outcome {
        Outcome::InteractorFailed => "the interactor failed".to_owned(),
        Outcome::ProtocolError => "the interactor rejected the program's output".to_owned(),
        _ => format!("the program ended with {ended}{signal}"),
    };
    warnings.push(point.warning(WarningCode::RuntimeFailure, problem));
    if !result.samples.is_empty() {
        let count = result.samples.len();
        let plural = if count == 1 { "" } else { "s" };
        let problem = format!("{count} run{plural} before the failure ended OK");
        warnings.push(point.warning(WarningCode::Unstable, problem));
    }
    warnings
}

/// The warning about a program that did not do the same work in all runs.
pub(super) fn doubt_of_ways(result: &MeasuredSize) -> Option<Warning> {
    let TwoWays { faster, slower } = result.two_ways()?;
    let cpu_ms = |sample: Option<&Sample>| ms(sample.and_then(|s| s.cpu_ns).unwrap_or(0));
    let (count, all) = (faster.len(), faster.len() + slower.len());
    let problem = format!(
        "the program behaves in two ways on the same input: {count} of {all} runs took at most \
         {:.1} ms of processor time, the others at least {:.1} ms; the figures are those of the slower runs",
        cpu_ms(faster.last()),
        cpu_ms(slower.first()),
    );
    Some(result.point().warning(WarningCode::TwoWays, problem))
}

/// The warning about a peak that is not simply that of the largest resident set.
fn doubt_of_peak(size: &MeasuredSize) -> Option<(WarningCode, String)> {
    let resident = size.ok_figures()?.peak_memory_mb?.max;
    if let Some(held) = size.held_mb() {
        let problem = format!(
            "the program held {held:.1} MiB in one of its runs, but no process of the repetitions \
             had more than {resident:.1} MiB resident; peak_memory_mb is what it held"
        );
        return Some((WarningCode::MemoryBeside, problem));
    }
    let problem = "several threads or processes ran, and no memory cgroup counted them together: \
                   peak_memory_mb is that of the largest process";
    (!size.peak_is_counted() && are_concurrent(&size.samples))
        .then(|| (WarningCode::LargestProcess, problem.to_owned()))
}

/// The warnings about final figures, on the report's clock. A caller who asks for a brief job knows
/// that its headlines are not precise.
pub(super) fn doubts_of_figures(
    size: &MeasuredSize,
    is_brief: bool,
) -> impl Iterator<Item = Warning> {
    let point = size.point();
    let doubts = [doubt_of_peak(size), noisy(size).filter(|_| !is_brief), inconsistent(size)];
    doubts.into_iter().flatten().map(move |(code, problem)| point.warning(code, problem))
}

/// The warning about a headline that is not precise enough. The precision of a single run is
/// unknown.
fn noisy(size: &MeasuredSize) -> Option<(WarningCode, String)> {
    let headline = size.ok_figures()?.headline?;
    let half = headline.interval?.width() / 2.0;
    let (share, count) = (half / headline.ms * 100.0, size.samples.len());
    if count < 2 {
        return None;
    }
    let problem =
        format!("runtime_ms is known to ± {half:.3} ms ({share:.1} %) after {count} runs");
    (!headline.known).then_some((WarningCode::Noisy, problem))
}

/// The warning about figures that contradict each other.
fn inconsistent(size: &MeasuredSize) -> Option<(WarningCode, String)> {
    let sample = contradiction(&size.samples)?;
    let [wall, cpu, delay] =
        [Some(sample.wall_ns), sample.cpu_ns, sample.run_delay_ns].map(|ns| ms(ns.unwrap_or(0)));
    let problem = format!(
        "wall_ms {wall:.3} of one run is less than cpu_ms {cpu:.3} plus run_delay_ms {delay:.3}, \
         so blocked_ms is left out"
    );
    Some((WarningCode::Inconsistent, problem))
}

/// The warning about a program that lacked input.
pub(super) fn lack_of_input(check: &InputCheck) -> Option<Warning> {
    if check.input_use() != InputUse::Starved {
        return None;
    }
    if let Some(file) = &check.opened_file {
        let problem = format!(
            "the program reads nothing of its input, and opens {file}, so its figures say nothing \
             about its task: name this file as the input file"
        );
        return Some(Warning::new(WarningCode::InputExhausted, problem));
    }
    let Some(fed) = &check.default_input else {
        let problem = format!(
            "the program asked for more input than its spec declares (tried at n = {}): the spec \
             may lack something",
            check.size
        );
        return Some(Warning::new(WarningCode::InputExhausted, problem));
    };
    let reason = format!(
        "the program was fed only {fed:?} ({} bytes) and asked for more, so its figures say nothing \
         about its task",
        fed.len()
    );
    // The wording of version 0.2.
    let words = "declare its input with an InputSpec, or give an interactor if it talks to a judge";
    let warning = Warning::new(WarningCode::InputExhausted, format!("{reason}: {words}"));
    let remedies = vec![RemedyKind::InputSpec.into(), RemedyKind::Interactor.into()];
    Some(Warning { reason, remedies, ..warning })
}
