//! The figures of interactive tasks, in a real sandbox: each program's work appears only in its own
//! figures.

use crate::group::FEW;
use crate::{Check, check};
use libtest_mimic::Trial;
use profiler_core::limits::PATIENCE;
use profiler_proto::v1::{InteractorResult, Outcome, RuntimeClock, SizeResult};
use profiler_tests::harness::{Backend, Ended, SIZE};

/// The least time that `burning_judge` computes, in milliseconds: ten times twenty.
const JUDGE_MS: f64 = 190.0;
/// The least time that `burns` computes, in milliseconds.
const PROGRAM_MS: f64 = 140.0;
/// More than a program needs that computes nothing, as a part of what the other one computes.
const QUIET: f64 = 0.5;
/// The least memory that `burning_judge` has resident, in MiB.
const JUDGE_MB: f64 = 40.0;
/// More than a program has resident that keeps nothing, in MiB.
const QUIET_MB: f64 = 20.0;
/// Turns of a conversation in which both programs sleep at every turn.
const TURNS: u64 = 2_000;
/// In milliseconds.
const TIMEOUT: u32 = 10_000 * PATIENCE;

/// The tests as trials.
pub(crate) fn trials(trial: impl Fn(&str, Check) -> Trial) -> [Trial; 4] {
    [
        trial("judges_figures_are_its_own", check(of_judge)),
        trial("programs_figures_are_its_own", check(of_program)),
        trial("programs_figures_are_those_of_its_children", check(of_child)),
        trial("of_many_turns", check(turns)),
    ]
}

/// The figures of both programs of an interactive run that ended well.
fn agreed(ended: &Ended, size: u64) -> (&SizeResult, &InteractorResult) {
    assert_eq!(ended.error(), None);
    assert_eq!(ended.report().runtime_clock(), RuntimeClock::Cpu);
    let result = ended.size(size);
    let interactor = result.interactor.as_ref().expect("an interactor's part");
    let outcomes = (result.outcome(), interactor.outcome());
    assert_eq!(outcomes, (Outcome::Ok, Outcome::Ok), "{result:#?}");
    (result, interactor)
}

/// An interactor's least processor time, in milliseconds, and its largest peak, in MiB.
fn figures(interactor: &InteractorResult) -> [f64; 2] {
    let figures = interactor.figures.as_ref().expect("figures");
    let peak_mb = figures.peak_memory_mb.expect("a peak").max;
    [figures.headline.expect("a headline").ms, peak_mb]
}

async fn of_judge(backend: &Backend) {
    let profiling = backend.profile_interactive("guesses", "burning_judge").timeout_ms(TIMEOUT);
    let ended = profiling.repetitions(FEW).await;
    let (result, interactor) = agreed(&ended, SIZE);
    let [judge_ms, peak_mb] = figures(interactor);
    assert!(judge_ms > JUDGE_MS && result.runtime_ms() < QUIET * judge_ms, "{result:#?}");
    assert!(peak_mb > JUDGE_MB && result.peak_memory_mb() < QUIET_MB, "{result:#?}");
    let walls = interactor.total_wall_ms.expect("times");
    assert!(walls.min > JUDGE_MS, "{walls:?}");
}

async fn of_program(backend: &Backend) {
    let profiling = backend.profile_interactive("burns", "judge").timeout_ms(TIMEOUT);
    let ended = profiling.repetitions(FEW).await;
    let (result, interactor) = agreed(&ended, SIZE);
    let [judge_ms, peak_mb] = figures(interactor);
    let program_ms = result.runtime_ms();
    assert!(program_ms > PROGRAM_MS && judge_ms < QUIET * program_ms, "{result:#?}");
    assert!(peak_mb < QUIET_MB, "{result:#?}");
}

async fn of_child(backend: &Backend) {
    let profiling = backend.profile_interactive("burns_in_child", "judge").timeout_ms(TIMEOUT);
    let ended = profiling.repetitions(FEW).await;
    let (result, interactor) = agreed(&ended, SIZE);
    let [judge_ms, _] = figures(interactor);
    let program_ms = result.runtime_ms();
    assert!(program_ms > PROGRAM_MS && judge_ms < QUIET * program_ms, "{result:#?}");
}

async fn turns(backend: &Backend) {
    let ended =
        backend.profile_interactive("ping", "pong").sizes(&[TURNS]).timeout_ms(TIMEOUT).await;
    let (result, interactor) = agreed(&ended, TURNS);
    let figures = result.figures.as_ref().expect("figures");
    let cpu_ms = figures.cpu_ms.expect("processor time");
    let headline = figures.headline.expect("a headline");
    let of_program = [result.runtime_ms(), headline.ms].map(f64::to_bits);
    assert_eq!(of_program, [cpu_ms.min.to_bits(); 2], "the least processor time: {result:#?}");
    assert_eq!(interactor.total_wall_ms.map(|total| total.count), Some(cpu_ms.count));
    assert!(result.stdout.is_none() && result.gnu_time.is_none() && result.memory.is_none());
}
