//! Measures one size. Its timed runs come first, and its other runs after those of all sizes.

pub(crate) mod cold;
pub(crate) mod second_look;
mod slowing;
pub(crate) mod untimed;

use super::interactive;
use super::session::MeasureSession;
use super::verdict::{judge, judge_binary};
use crate::error::EarlyEnd;
use crate::figures::units::hex;
use crate::figures::{GnuTime, ParseError};
use crate::job::{Job, Point};
use crate::report::MeasuredSize;
use profiler_proto::v1::{Outcome, Output, Warning, WarningCode};
use runner_protocol::{BatchResult, Binary, Execution, Sample};
use std::time::{Duration, Instant};

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

/// Makes the timed runs of one size within its share, and plans its memory probe. Only the size's
/// own runs decide the clock of its figures. `start_up` holds the runs of the empty program.
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
    result.fed = session.fed();
    // A noisy program's repetitions use up all of the time. A program must not avoid the probe in
    // this way.
    let left = budget.unspent.saturating_sub(begun.elapsed()).max(budget.share);
    result.probe = untimed::planned(job, &result, left);
    let warnings = differing_output(&ran, &result).into_iter().collect();
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
