//! The place at which the program crashes, or at which it is when it takes too long.
//!
//! The program runs once more where it failed, in a new sandbox. What it leaves there or does to
//! the runner affects nothing else, so no failure here is an error of the job.

use crate::error::EarlyEnd;
use crate::figures::units::ms;
use crate::job::{Job, Point};
use crate::measure::session::{InputOf, MeasureSession};
use crate::measure::size::cold::Spare;
use crate::report::{MeasuredSize, signal_name};
use crate::sandbox::{Channel, Pool};
use profiler_proto::v1::{Evidence, Fault, FaultCall, Outcome, TestCaseResult};
use runner_protocol::{Binary, Breach, Ending, Faulted, MAX_STACK_CALLS, StackCall};
use std::time::Duration;

/// Time after which a program that takes too long is stopped.
const STOPPED_AFTER: Duration = Duration::from_secs(2);

/// A run that failed.
enum Failed {
    At(Point),
    /// A test case, by its index.
    On(usize),
}

/// Finds the place at which the program fails: at the smallest size that a signal or a limit of
/// time ended, or else on the first such test case.
pub(crate) async fn find(
    job: &Job,
    (pool, channel, binary): (&Pool, &mut Channel, Binary),
    sizes: &[MeasuredSize],
    test_cases: &[TestCaseResult],
) -> Option<Fault> {
    if !job.options.fault_location || job.interactor.is_some() {
        return None;
    }
    let of_size = |it: &&MeasuredSize| has_place(it.verdict.outcome, &it.verdict.evidence);
    let size = sizes.iter().filter(of_size).min_by_key(|it| (it.size, it.candidate));
    let of_test = |it: &TestCaseResult| {
        it.evidence.as_ref().is_some_and(|evidence| has_place(it.outcome(), evidence))
    };
    let (failed, outcome) = if let Some(size) = size {
        (Failed::At(size.point()), size.verdict.outcome)
    } else {
        let index = test_cases.iter().position(of_test)?;
        (Failed::On(index), test_cases[index].outcome())
    };
    let stop = job.limits.wall_stop();
    let within = if outcome == Outcome::TimeLimit { stop.min(STOPPED_AFTER) } else { stop };
    let faulted = run(job, (pool, channel, binary), &failed, within).await;
    let faulted = faulted.inspect_err(|EarlyEnd { message, .. }| {
        tracing::warn!(target: "Profiler", message, "the place of the fault is not known");
    });
    published(job, faulted.ok()?, &failed)
}

/// Whether a run ended at a place in the program.
fn has_place(outcome: Outcome, evidence: &Evidence) -> bool {
    match outcome {
        Outcome::RuntimeError => evidence.signal.is_some(),
        outcome => outcome == Outcome::TimeLimit,
    }
}

async fn run(
    job: &Job,
    (pool, channel, binary): (&Pool, &mut Channel, Binary),
    failed: &Failed,
    within: Duration,
) -> Result<Faulted, EarlyEnd> {
    let mut session = MeasureSession::new(job, channel, None);
    let mut sandbox = Spare::start(pool).with(binary, &mut session).await?;
    let mut apart = session.elsewhere(&mut sandbox.channel);
    let input = match failed {
        Failed::At(point) => InputOf::Point(*point),
        Failed::On(index) => {
            let case = job.test_cases.get(*index).map(|case| case.input.as_bytes());
            InputOf::Bytes(case.unwrap_or_default())
        }
    };
    let faulted = apart.find_fault(input, within).await;
    sandbox.end().await;
    Ok(faulted?)
}

/// The answer of the runner as a report has it. It comes from a sandbox, so its length is checked,
/// and calls in files that the program does not have are left out.
fn published(job: &Job, faulted: Faulted, failed: &Failed) -> Option<Fault> {
    let stack = faulted.stack?;
    let (signal, stopped_ms) = match faulted.execution.ending {
        Ending::Signaled(number) => (signal_name(number).to_owned(), None),
        Ending::Stopped(Breach::Wall(ns)) => (String::new(), Some(ms(ns))),
        Ending::Stopped(_) | Ending::Exited(_) => return None,
    };
    let is_own = |call: &StackCall| {
        call.file.is_empty() || job.files.iter().any(|file| file.path == call.file)
    };
    let call =
        |StackCall { function, file, line, times }| FaultCall { function, file, line, times };
    let fault = Fault {
        signal,
        stopped_ms,
        calls: stack.calls.into_iter().filter(is_own).take(MAX_STACK_CALLS).map(call).collect(),
        is_cut: stack.is_cut,
        ..Fault::default()
    };
    let fault = match *failed {
        Failed::At(Point { size, candidate }) => Fault { size: Some(size), candidate, ..fault },
        Failed::On(index) => Fault { test_case: u32::try_from(index + 1).ok(), ..fault },
    };
    Some(fault).filter(|fault| !fault.calls.is_empty())
}
