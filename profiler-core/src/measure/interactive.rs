//! Interactive tasks: the program exchanges messages with an interactor. Only the program's own
//! time and memory are its figures.

use crate::figures::units::ms;
use crate::figures::{ParseError, RuntimeClock, size_figures};
use crate::job::{INTERACTIVE_CLOCK, Job, Point, RunLimits};
use crate::measure::verdict::judge;
use crate::report::{MeasuredSize, Verdict};
use nix::sys::signal::Signal;
use profiler_proto::v1::{FailureHint, InteractorResult, Outcome, Warning, WarningCode};
use profiler_statistics::Statistics;
use runner_protocol::{BatchResult, Breach, Ending, Execution, InteractorRun, Limits, Sample};

/// The limits of the job's interactor, if the job has one. They equal the program's, except for the
/// clock.
pub(crate) fn limits(job: &Job) -> Option<Limits> {
    job.interactor.as_ref().map(|_| run_limits(job).for_runner())
}

fn run_limits(job: &Job) -> RunLimits {
    RunLimits { clock: Some(INTERACTIVE_CLOCK), ..job.limits }
}

/// Memory that the sandbox's cgroup allows for an interactor in addition to the program, in bytes.
/// It is all the memory that the interactor may use, so the interactor never gets the program
/// killed.
pub(crate) fn room_bytes(job: &Job) -> u64 {
    job.interactor.as_ref().map_or(0, |_| run_limits(job).memory_bytes)
}

/// The verdicts on both programs of a run.
struct Judgement {
    program: Verdict,
    interactor: Verdict,
}

impl Judgement {
    /// Judges one run. The interactor judges the program, unless the interactor itself fails. If
    /// one side failed after the other had ended, the side that ended first is the cause. But a
    /// program killed by SIGPIPE did not leave first, whichever end was seen first.
    fn of_run(job: &Job, ran: &BatchResult, program: &Execution, run: &InteractorRun) -> Self {
        let mut verdict = judge(program, &job.limits, &ran.written.stderr_tail);
        let other = &run.execution;
        let interactor = judge(other, &run_limits(job), &ran.interactor_stderr_tail);
        let stopped =
            [program, other].map(|side| matches!(side.ending, Ending::Stopped(Breach::Wall(_))));
        let was_left = program.ending == Ending::Signaled(Signal::SIGPIPE as i32);
        let is_cause = run.left_first || was_left || verdict.outcome == Outcome::Ok;
        if stopped == [true, true] {
            // Both met the hard stop. That counts against the program, unless only the interactor
            // was working.
            let hint = if run.silent { FailureHint::Silence } else { FailureHint::Unspecified };
            verdict.evidence.set_hint(hint);
            if run.left_first && !run.silent {
                verdict.outcome = Outcome::InteractorFailed;
            }
        } else if is_cause {
            verdict.outcome = objection(other, &interactor).unwrap_or(verdict.outcome);
        }
        Self { program: verdict, interactor }
    }
}

/// The interactor's objection to the program; `None` if the interactor accepted.
fn objection(interactor: &Execution, verdict: &Verdict) -> Option<Outcome> {
    // SIGPIPE means that the program was already gone when the interactor sent its verdict.
    let is_left = interactor.ending == Ending::Signaled(Signal::SIGPIPE as i32);
    let has_rejected = is_left || verdict.evidence.exit_code.is_some();
    match verdict.outcome {
        Outcome::Ok => None,
        Outcome::RuntimeError if has_rejected => Some(Outcome::ProtocolError),
        _ => Some(Outcome::InteractorFailed),
    }
}

/// The result of a size's runs. The first run that is not OK gives the size's outcome, and no
/// further runs count.
pub(crate) fn result_of_runs(
    job: &Job,
    point: Point,
    ran: &BatchResult,
    clock: RuntimeClock,
) -> Result<MeasuredSize, ParseError> {
    let pairs = ran.repetitions.iter().zip(&ran.interactor_runs);
    let judged: Vec<_> =
        pairs.clone().map(|(program, run)| Judgement::of_run(job, ran, program, run)).collect();
    let good = judged.iter().take_while(|it| it.program.outcome == Outcome::Ok).count();
    let Some(Judgement { program, interactor }) = judged.into_iter().take(good + 1).next_back()
    else {
        return Err(ParseError("result of any run"));
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let samples = |side: fn((&Execution, &InteractorRun)) -> Sample| {
        pairs.clone().take(good).map(side).collect::<Vec<_>>()
    };
    let walls: Vec<_> = pairs.clone().take(good).map(|(_, run)| ms(run.wall_ns)).collect();
    let of_interactor = InteractorResult {
        outcome: interactor.outcome.into(),
        evidence: Some(interactor.evidence),
        figures: size_figures(&samples(|(_, run)| run.execution.sample), clock),
        total_wall_ms: Statistics::from_values(&walls).map(Into::into),
        stderr_tail: text(&ran.interactor_stderr_tail),
    };
    Ok(MeasuredSize {
        samples: samples(|(program, _)| program.sample),
        stderr_tail: text(&ran.written.stderr_tail),
        interactor: Some(of_interactor),
        ..MeasuredSize::never_started(point, program)
    })
}

/// Returns the number of lines that the program wrote in the first run; `None` if one side did not
/// end well. If the run did other work than the timed runs of `size`, its questions are other ones
/// too, and there is a warning.
pub(crate) fn questions(ran: &BatchResult, size: &MeasuredSize) -> Result<Option<u64>, Warning> {
    let first = ran.repetitions.first().zip(ran.interactor_runs.first());
    let Some((program, run)) = first else { return Ok(None) };
    if !program.ending.is_success() || !run.execution.ending.is_success() {
        return Ok(None);
    }
    if size.contradicted_by(&program.sample).is_some() {
        let problem = format!(
            "the run whose questions were counted took {:.1} ms of processor time, unlike the timed \
             runs, so there are no questions",
            ms(program.sample.cpu_ns.unwrap_or(0))
        );
        return Err(size.point().warning(WarningCode::NotCounted, problem));
    }
    Ok(run.lines)
}

#[cfg(test)]
mod tests;
