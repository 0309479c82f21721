//! Measures one size: timed runs, a memory probe if it is cheap, and a count of questions.

pub(crate) mod cold;
pub(crate) mod second_look;
mod slowing;

use super::interactive;
use super::session::MeasureSession;
use super::verdict::{judge, judge_binary};
use crate::error::EarlyEnd;
use crate::figures::units::{MS_PER_SECOND, hex, mib, ms};
use crate::figures::{GnuTime, ParseError};
use crate::job::{Job, Point};
use crate::limits::PROBE_PART;
use crate::report::{MeasuredSize, ending_name};
use profiler_proto::v1::{Outcome, Output, Warning, WarningCode};
use runner_protocol::{BatchResult, Binary, Execution, HELD_SLACK_BYTES, Probed, Sample};
use std::time::{Duration, Instant};

/// Upper bound on the processor time of a memory probe: [`PROBE_FACTOR`] times that of the slowest
/// other run, plus [`PROBE_MS`], plus [`READING_MS`] for each reading of the memory. A program that
/// exceeds it clearly does more work in the probe than in its other runs.
const PROBE_FACTOR: f64 = 3.0;
const PROBE_MS: f64 = 20.0;
const READING_MS: f64 = 0.05;

/// The measured result of a size and candidate.
pub(crate) struct Measurement {
    pub(crate) result: MeasuredSize,
    pub(crate) warnings: Vec<Warning>,
}

/// The time that one size may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SizeBudget {
    /// Time for the timed runs.
    pub(crate) share: Duration,
    /// Time that is left of the budget of all sizes.
    pub(crate) unspent: Duration,
}

/// Measures one size: makes the timed runs within the share, a memory probe if enough time is left,
/// and a run that counts the questions to an interactor. Only the size's own timed runs decide the
/// clock of its figures. `start_up` holds the runs of the empty program.
pub(crate) async fn measure(
    session: &mut MeasureSession<'_>,
    binary: Binary,
    point: Point,
    budget: SizeBudget,
    start_up: &[Sample],
) -> Result<Measurement, EarlyEnd> {
    let (job, begun) = (session.job, Instant::now());
    if let Some(verdict) = judge_binary(binary, &job.limits) {
        let result = MeasuredSize::never_started(point, verdict);
        return Ok(Measurement { result, warnings: Vec::new() });
    }
    let ran = session.timed(point, budget.share).await?;
    let mut result = settled_result(job, point, &ran, start_up)?;
    result.input_bytes = session.input_bytes();
    // A noisy program's repetitions use up all of the time. A program must not avoid the probe in
    // this way.
    let left = budget.unspent.saturating_sub(begun.elapsed()).max(budget.share);
    let mut warnings: Vec<_> = differing_output(&ran, &result).into_iter().collect();
    // In a brief job, only a first run may take long.
    let for_probe = job.brief_precision().map_or(left, |_| budget.share);
    let can_be_probed = job.interactor.is_none() && !job.runs_once();
    if can_be_probed && is_worth_a_probe(&result, for_probe) {
        let probed = session.probe(point, left.min(job.limits.wall_stop())).await?;
        warnings.extend(work_in_probe(&mut result, &probed));
        warnings.extend(add_probe(&mut result, job, &probed));
    }
    if job.interactor.is_some() && job.options.count_questions && result.is_ok() {
        result.questions = session.count_questions(point).await?;
    }
    Ok(Measurement { result, warnings })
}

/// The warning about runs with different output. Programs may print a time or an address, so output
/// alone is no reason to doubt the figures. There is no warning if a run was ended early, because
/// such a run writes less.
fn differing_output(ran: &BatchResult, result: &MeasuredSize) -> Option<Warning> {
    let (others, all) = (ran.other_outputs, ran.repetitions.len());
    let problem = format!(
        "on the same input, {others} of {all} repetitions wrote a different output than the first run"
    );
    let differ = others > 0 && result.is_ok();
    differ.then(|| result.point().warning(WarningCode::NotDeterministic, problem))
}

/// Returns the result of a size's runs, with figures on the clock that suits these runs.
pub(crate) fn settled_result(
    job: &Job,
    point: Point,
    ran: &BatchResult,
    start_up: &[Sample],
) -> Result<MeasuredSize, ParseError> {
    let mut result = result_of_runs(job, point, ran)?;
    let chosen = job.clock_rule().choose([&result.samples[..]]);
    result.settle(chosen.clock, start_up);
    Ok(result)
}

/// Adds the findings of the probe to `result`. No other run reads the memory of all processes as
/// often, so a probe that exceeds the memory limit decides the size's outcome. A probe that ended
/// differently from the timed runs, or held clearly less, gives no figures, but a warning.
fn add_probe(result: &mut MeasuredSize, job: &Job, probed: &Probed) -> Option<Warning> {
    let verdict = judge(&probed.execution, &job.limits, &[]);
    let exceeds = verdict.outcome == Outcome::MemoryLimit;
    if !exceeds && !probed.execution.ending.is_success() {
        let ended = ending_name(probed.execution.ending);
        let problem = format!("the program ended differently in the memory probe: {ended}");
        return Some(result.point().warning(WarningCode::ProbeDiffers, problem));
    }
    let least = result.samples.iter().map(|sample| sample.peak_rss_bytes).min().unwrap_or(0);
    let seen = probed.execution.sample.peak_rss_bytes;
    if !exceeds && least > seen + HELD_SLACK_BYTES {
        let problem = format!(
            "the program had at most {:.1} MiB resident in the memory probe, and at least {:.1} MiB \
             in each repetition: no figure is taken from the probe",
            mib(seen),
            mib(least)
        );
        return Some(result.point().warning(WarningCode::ProbeDiffers, problem));
    }
    result.memory = probed.memory;
    if exceeds {
        result.fail(verdict);
    }
    None
}

/// The warning about a program that works clearly longer in the probe than in every other run. The
/// probe comes between the sizes, so the program could compute there what it prints at later sizes.
fn work_in_probe(result: &mut MeasuredSize, probed: &Probed) -> Option<Warning> {
    let runs = result.samples.iter().chain(&result.warm_up);
    let others = ms(runs.filter_map(|sample| sample.cpu_ns).max()?);
    let probe = ms(probed.execution.sample.cpu_ns?);
    let readings = probed.memory.map_or(0, |memory| memory.readings);
    let most = PROBE_FACTOR * others + PROBE_MS + READING_MS * f64::from(readings);
    result.works_in_probe = probe > most;
    let problem = format!(
        "the program behaves in two ways on the same input: the memory probe took {probe:.1} ms of \
         processor time, the other runs at most {others:.1} ms; the figures are those of the other runs"
    );
    result.works_in_probe.then(|| result.point().warning(WarningCode::TwoWays, problem))
}

/// Whether a probe, which is one more run, takes only a small part of `budget`.
fn is_worth_a_probe(result: &MeasuredSize, budget: Duration) -> bool {
    let wall_ms = result.ok_figures().and_then(|figures| figures.wall_ms).map(|wall| wall.median);
    let allowed = budget / PROBE_PART;
    wall_ms.is_some_and(|ms| ms <= allowed.as_secs_f64() * MS_PER_SECOND)
}

/// The result of a size's runs, without figures. The first run that is not OK gives the size's
/// outcome. Without such a run the outcome is OK. If the warm-up used up the budget, it is the only
/// sample.
fn result_of_runs(job: &Job, point: Point, ran: &BatchResult) -> Result<MeasuredSize, ParseError> {
    if let Some(clock) = job.limits.clock.filter(|_| job.interactor.is_some()) {
        return interactive::result_of_runs(job, point, ran, clock);
    }
    let verdict = |execution: &Execution| judge(execution, &job.limits, &ran.written.stderr_tail);
    let mut runs = ran.warm_up.iter().chain(&ran.repetitions).map(verdict);
    let failed = runs.clone().find(|verdict| verdict.outcome != Outcome::Ok);
    // There is always a run, because the runner makes a repetition if the warm-up is lost.
    let Some(verdict_of_size) = failed.or_else(|| runs.next_back()) else {
        return Err(ParseError("result of any run"));
    };
    let ok = |execution: &&Execution| verdict(execution).outcome == Outcome::Ok;
    let timed =
        if ran.repetitions.is_empty() { ran.warm_up.as_slice() } else { &ran.repetitions[..] };
    let text = ran.gnu_time.as_deref().map(String::from_utf8_lossy);
    let gnu_time = text.map(|text| GnuTime::parse(&text)).transpose()?;
    if let Some(GnuTime { elapsed_ms, max_resident_mb }) = gnu_time {
        let size = point.size;
        tracing::debug!(target: "Profiler", size, elapsed_ms, max_resident_mb, "/usr/bin/time");
    }
    let written = &ran.written;
    Ok(MeasuredSize {
        samples: timed.iter().take_while(ok).map(|execution| execution.sample).collect(),
        warm_up: ran.warm_up.as_ref().map(|execution| execution.sample),
        outputs_differ: ran.other_outputs > 0,
        gnu_time,
        stdout: Some(Output {
            bytes: written.stdout_bytes,
            sha256: hex(&written.stdout_sha256),
            words_sha256: hex(&written.stdout_words_sha256),
            varies: ran.other_words > 0,
            head: written.stdout_head.clone(),
        }),
        stderr_tail: String::from_utf8_lossy(&written.stderr_tail).into_owned(),
        ..MeasuredSize::never_started(point, verdict_of_size)
    })
}
