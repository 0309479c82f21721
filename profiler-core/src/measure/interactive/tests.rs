use super::Outcome::{
    InteractorFailed, MemoryLimit, Ok, OutputLimit, ProtocolError, RuntimeError, TimeLimit,
};
use super::*;
use crate::job::Draft;
use crate::limits::MIB;
use profiler_proto::v1::Interactor;
use std::time::Duration;

fn job() -> Job {
    let mut draft = Draft::new("task", "int main() {}");
    let code_cpp = "int main() {}".into();
    draft.request.interactor = Some(Interactor { code_cpp, ..Interactor::default() });
    draft.request.input_sizes = vec![1];
    Job::try_from(draft).unwrap()
}

/// A run of one millisecond of processor time and two of wall clock.
fn ended(ending: Ending) -> Execution {
    let sample = Sample {
        wall_ns: 2_000_000,
        cpu_ns: Some(1_000_000),
        peak_rss_bytes: 4 * MIB,
        ..Sample::default()
    };
    Execution { ending, sample, oom_kills: 0, output_full: false }
}

fn exited(code: i32) -> Execution {
    ended(Ending::Exited(code))
}

fn died(signal: Signal) -> Execution {
    ended(Ending::Signaled(signal as i32))
}

fn timed_out() -> Execution {
    ended(Ending::Stopped(Breach::Time(2_000_000_000)))
}

fn stopped() -> Execution {
    ended(Ending::Stopped(Breach::Wall(4_250_000_000)))
}

fn out_of_memory() -> Execution {
    Execution { oom_kills: 1, ..died(Signal::SIGKILL) }
}

fn flooded() -> Execution {
    Execution { output_full: true, ..exited(0) }
}

fn interactor_run(execution: Execution, left_first: bool) -> InteractorRun {
    InteractorRun { execution, left_first, silent: false, wall_ns: 3_000_000, lines: None }
}

/// Every ending of a program that is judged alone, with its outcome.
fn every_ending() -> [(Execution, Outcome); 9] {
    [
        (exited(0), Ok),
        (exited(1), RuntimeError),
        (died(Signal::SIGSEGV), RuntimeError),
        (died(Signal::SIGKILL), RuntimeError),
        (died(Signal::SIGPIPE), RuntimeError),
        (timed_out(), TimeLimit),
        (stopped(), TimeLimit),
        (out_of_memory(), MemoryLimit),
        (flooded(), OutputLimit),
    ]
}

/// Every ending of an interactor, with its objection to a program that is judged by it.
fn objections() -> [(Execution, Option<Outcome>); 9] {
    let [accepted, rejected, left] = [None, Some(ProtocolError), Some(ProtocolError)];
    let failed = Some(InteractorFailed);
    let [ok, one, segv, kill, pipe, time, wall, memory, output] = every_ending().map(|row| row.0);
    [
        (ok, accepted),
        (one, rejected),
        (segv, failed),
        (kill, failed),
        (pipe, left),
        (time, failed),
        (wall, failed),
        (memory, failed),
        (output, failed),
    ]
}

fn outcome(program: &Execution, run: &InteractorRun) -> Outcome {
    Judgement::of_run(&job(), &BatchResult::default(), program, run).program.outcome
}

fn is(execution: &Execution, other: &Execution) -> bool {
    execution.ending == other.ending
}

#[test]
fn interactor_that_left_first_decides_alone() {
    for (program, alone) in every_ending() {
        for (interactor, objection) in objections() {
            let expected = objection.unwrap_or(alone);
            let found = outcome(&program, &interactor_run(interactor.clone(), true));
            assert_eq!(found, expected, "{program:?} {interactor:?}");
        }
    }
}

#[test]
fn program_that_failed_first_keeps_its_failure() {
    for (program, alone) in every_ending().into_iter().skip(1) {
        for (interactor, _) in objections() {
            if is(&program, &died(Signal::SIGPIPE)) {
                continue;
            }
            let found = outcome(&program, &interactor_run(interactor.clone(), false));
            assert_eq!(found, alone, "{program:?} {interactor:?}");
        }
    }
}

#[test]
fn program_that_ended_well_is_judged_by_the_interactor() {
    for (interactor, objection) in objections() {
        let found = outcome(&exited(0), &interactor_run(interactor.clone(), false));
        assert_eq!(found, objection.unwrap_or(Ok), "{interactor:?}");
    }
}

#[test]
fn side_killed_by_sigpipe_did_not_leave_first() {
    for (interactor, objection) in objections() {
        let found = outcome(&died(Signal::SIGPIPE), &interactor_run(interactor.clone(), false));
        assert_eq!(found, objection.unwrap_or(RuntimeError), "{interactor:?}");
    }
}

#[test]
fn shared_hard_stop_counts_against_the_program_unless_only_the_interactor_worked() {
    for (first, silent, outcome, hint) in [
        (false, false, TimeLimit, FailureHint::Unspecified),
        (true, false, InteractorFailed, FailureHint::Unspecified),
        (false, true, TimeLimit, FailureHint::Silence),
        (true, true, TimeLimit, FailureHint::Silence),
    ] {
        let run = InteractorRun { silent, ..interactor_run(stopped(), first) };
        let Judgement { program, interactor } =
            Judgement::of_run(&job(), &BatchResult::default(), &stopped(), &run);
        assert_eq!((program.outcome, program.evidence.hint()), (outcome, hint));
        assert_eq!(interactor.outcome, TimeLimit);
        assert_eq!(interactor.evidence.hint(), FailureHint::Unspecified);
    }
}

fn result(
    repetitions: Vec<Execution>,
    interactor_runs: Vec<InteractorRun>,
) -> Result<MeasuredSize, ParseError> {
    let ran = BatchResult {
        repetitions,
        interactor_runs,
        interactor_stderr_tail: b"said \xff".into(),
        ..BatchResult::default()
    };
    result_of_runs(&job(), Point { size: 1, candidate: 0 }, &ran, RuntimeClock::Cpu)
}

#[test]
fn run_that_decides_is_the_first_that_is_not_ok() {
    let interactor_runs = vec![interactor_run(exited(0), true), interactor_run(exited(7), true)];
    let result = result(vec![exited(0), died(Signal::SIGPIPE)], interactor_runs).unwrap();
    let Verdict { outcome, evidence } = result.verdict;
    assert_eq!((outcome, evidence.signal.as_deref()), (ProtocolError, Some("SIGPIPE")));
    let interactor = result.interactor.unwrap();
    let evidence = interactor.evidence.as_ref().unwrap();
    assert_eq!((interactor.outcome(), evidence.exit_code), (RuntimeError, Some(7)));
    assert_eq!(interactor.stderr_tail, "said \u{fffd}");
    assert_eq!((result.samples.len(), interactor.total_wall_ms.unwrap().count), (1, 1));
}

#[test]
fn each_side_has_its_own_figures() {
    let mut busy = exited(0);
    busy.sample.cpu_ns = Some(9_000_000);
    let interactor_runs = vec![interactor_run(busy.clone(), true), interactor_run(busy, false)];
    let result = result(vec![exited(0), exited(0)], interactor_runs).unwrap();
    assert_eq!(result.samples, [exited(0).sample, exited(0).sample]);
    let interactor = result.interactor.unwrap();
    let figures = interactor.figures.unwrap();
    assert_eq!((figures.cpu_ms.unwrap().max, figures.headline.unwrap().ms), (9.0, 9.0));
    assert_eq!((interactor.outcome(), interactor.total_wall_ms.unwrap().median), (Ok, 3.0));
    assert_eq!((result.stdout, result.gnu_time, result.warm_up), (None, None, None));
}

#[test]
fn first_run_that_is_not_ok_leaves_no_figures() {
    let result = result(vec![exited(1)], vec![interactor_run(exited(1), false)]).unwrap();
    let interactor = result.interactor.unwrap();
    assert_eq!((result.verdict.outcome, result.samples.len()), (RuntimeError, 0));
    assert_eq!((interactor.figures, interactor.total_wall_ms), (None, None));
}

#[test]
fn result_is_absent_without_a_run() {
    assert!(result(vec![exited(0)], Vec::new()).is_err());
    assert!(result(Vec::new(), vec![interactor_run(exited(0), false)]).is_err());
}

#[test]
fn interactor_has_the_programs_limits_on_processor_time() {
    let mut job = job();
    job.limits.timeout = Duration::from_secs(1);
    job.limits.clock = Some(RuntimeClock::Wall);
    let limits = limits(&job).unwrap();
    let own = job.limits.for_runner();
    assert_eq!(limits, Limits { clock: RuntimeClock::Cpu, ..own });
    assert_eq!(room_bytes(&job), own.resident_bytes);
    job.interactor = None;
    assert_eq!((super::limits(&job), room_bytes(&job)), (None, 0));
}
