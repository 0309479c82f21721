//! Interactive tasks: the program talks to an interactor, and only its own time and memory are its
//! figures.

use crate::figures::units::ms;
use crate::figures::{Figures, ParseError, RuntimeClock};
use crate::job::Point;
use crate::job::RunLimits;
use crate::job::{INTERACTIVE_CLOCK, Job};
use crate::measure::verdict::judge;
use crate::report::{Hint, Outcome, Verdict};
use crate::report::{InteractorResult, SizeResult};
use nix::sys::signal::Signal;
use profiler_statistics::Statistics;
use runner_protocol::{BatchResult, Breach, Ending, Execution, InteractorRun, Limits, Sample};

/// The limits of the job's interactor, if it has one: the program's own.
pub(crate) fn limits(job: &Job) -> Option<Limits> {
    job.interactor.as_ref().map(|_| run_limits(job).for_runner())
}

fn run_limits(job: &Job) -> RunLimits {
    RunLimits { clock: Some(INTERACTIVE_CLOCK), ..job.limits }
}

/// What a sandbox's memory cgroup holds for an interactor beside the program, in bytes: all that it
/// may have. So its bytes never kill the program.
pub(crate) fn room_bytes(job: &Job) -> u64 {
    job.interactor.as_ref().map_or(0, |_| run_limits(job).memory_bytes)
}

/// What both sides of a run say together.
struct Judgement {
    program: Verdict,
    interactor: Verdict,
}

impl Judgement {
    /// The interactor judges the program, unless it fails itself. Of what one side did after the
    /// other had ended, that other is the cause; but a side that is ended by SIGPIPE was not the
    /// first to leave, whoever was seen to end first.
    fn of(job: &Job, ran: &BatchResult, program: &Execution, talk: &InteractorRun) -> Self {
        let mut verdict = judge(program, &job.limits, &ran.written.stderr_tail);
        let other = &talk.execution;
        let interactor = judge(other, &run_limits(job), &ran.interactor_stderr_tail);
        let stopped =
            [program, other].map(|side| matches!(side.ending, Ending::Stopped(Breach::Wall(_))));
        let was_left = program.ending == Ending::Signaled(Signal::SIGPIPE as i32);
        let is_cause = talk.left_first || was_left || verdict.outcome == Outcome::Ok;
        if stopped == [true, true] {
            // Both at the same hard stop: the program's, unless the interactor alone was at work.
            verdict.evidence.hint = talk.silent.then_some(Hint::Silence);
            if talk.left_first && !talk.silent {
                verdict.outcome = Outcome::InteractorFailed;
            }
        } else if is_cause {
            verdict.outcome = match objection(other, &interactor) {
                Some(objection) => objection,
                None => verdict.outcome,
            };
        }
        Self { program: verdict, interactor }
    }

    fn is_ok(&self) -> bool {
        self.program.outcome == Outcome::Ok
    }
}

/// What an interactor has against the program; nothing, if it accepted.
fn objection(interactor: &Execution, verdict: &Verdict) -> Option<Outcome> {
    let is_left = interactor.ending == Ending::Signaled(Signal::SIGPIPE as i32);
    match verdict.outcome {
        Outcome::Ok => None,
        // The program was not there any more to hear it.
        Outcome::RuntimeError if is_left => Some(Outcome::ProtocolError),
        Outcome::RuntimeError if verdict.evidence.exit_code.is_some() => {
            Some(Outcome::ProtocolError)
        }
        _ => Some(Outcome::InteractorFailed),
    }
}

/// The result of a size's talks. The first that is not OK is the size's outcome, and no more come.
pub(crate) fn result_of_runs(
    job: &Job,
    point: Point,
    ran: &BatchResult,
    clock: RuntimeClock,
) -> Result<SizeResult, ParseError> {
    let talks = ran.repetitions.iter().zip(&ran.interactor_runs);
    let judged: Vec<_> =
        talks.clone().map(|(program, talk)| Judgement::of(job, ran, program, talk)).collect();
    let good = judged.iter().take_while(|judgement| judgement.is_ok()).count();
    let Some(Judgement { program, interactor }) = judged.into_iter().take(good + 1).next_back()
    else {
        return Err(ParseError("result of any run"));
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let samples = |side: fn((&Execution, &InteractorRun)) -> Sample| {
        talks.clone().take(good).map(side).collect::<Vec<_>>()
    };
    let walls: Vec<_> = talks.clone().take(good).map(|(_, talk)| ms(talk.wall_ns)).collect();
    let of_interactor = InteractorResult {
        outcome: interactor.outcome,
        evidence: interactor.evidence,
        figures: Figures::of(&samples(|(_, talk)| talk.execution.sample), clock),
        total_wall_ms: Statistics::from_values(&walls),
        stderr_tail: text(&ran.interactor_stderr_tail),
    };
    Ok(SizeResult {
        samples: samples(|(program, _)| program.sample),
        stderr_tail: text(&ran.written.stderr_tail),
        interactor: Some(of_interactor),
        ..SizeResult::never_started(point, program)
    })
}

#[cfg(test)]
mod tests;
