//! No clock misses what a program's children do, and no run what another run has done for it.

use crate::{Check, check};
use libtest_mimic::Trial;
use profiler_core::limits::PATIENCE;
use profiler_proto::v1::{Outcome, RuntimeClock};
use profiler_tests::harness::Backend;

/// In how many ways `hides_children` hides them: one for each size.
const WAYS: [u64; 6] = [0, 1, 2, 3, 4, 5];
/// Two, because one run that looks concurrent is left out.
const REPETITIONS: u32 = 2;
/// The least time that a hidden child computes, in milliseconds.
const LEAST_MS: f64 = 190.0;
/// A limit that only the child's processor time exceeds: the parent itself sleeps.
const SHORT_MS: u32 = 100;
/// Long enough even on a busy machine, in milliseconds.
const TIMEOUT_MS: u32 = 10_000 * PATIENCE;
/// Numbers that `remembers_by_pipe` agrees with itself. After the first size the host's counter
/// cannot say that the work of the second is done.
const AGREED: [u64; 2] = [8, 40];
/// Duration of its work, in milliseconds.
const WORK_MS: f64 = 100.0;

/// The tests as trials.
pub(crate) fn trials(trial: impl Fn(&str, Check) -> Trial) -> [Trial; 5] {
    let shows = |clock: RuntimeClock| {
        check(async move |backend: &Backend| shows_children(backend, clock).await)
    };
    [
        trial("every_child_is_on_the_default_clock", shows(RuntimeClock::Unspecified)),
        trial("every_child_is_on_the_processors_clock", shows(RuntimeClock::Cpu)),
        trial("every_child_is_on_the_clock_for_the_unloaded_one", shows(RuntimeClock::Unloaded)),
        trial("every_child_counts_for_the_limit", check(limits_children)),
        trial("work_is_not_hidden_by_what_the_host_counts", check(shows_the_work_of_a_job)),
    ]
}

async fn shows_children(backend: &Backend, clock: RuntimeClock) {
    let profiling = backend.profile("hides_children").sizes(&WAYS).timeout_ms(TIMEOUT_MS);
    let profiling = profiling.repetitions(REPETITIONS).timed().untried();
    let ended = profiling.clock(clock).await;
    for way in WAYS {
        let result = ended.size(way);
        assert_eq!(result.outcome(), Outcome::Ok, "{result:#?}");
        assert!(result.runtime_ms() >= LEAST_MS, "way {way}: {result:#?}");
    }
    let is_cpu = clock == RuntimeClock::Cpu;
    let expected = if is_cpu { RuntimeClock::Cpu } else { RuntimeClock::Wall };
    assert_eq!(ended.report().runtime_clock(), expected);
}

async fn limits_children(backend: &Backend) {
    let profiling = backend.profile("hides_children").sizes(&WAYS).timeout_ms(SHORT_MS);
    let ended = profiling.clock(RuntimeClock::Cpu).timed().untried().await;
    for way in WAYS {
        assert_eq!(ended.outcome(way), Outcome::TimeLimit, "way {way}: {:#?}", ended.size(way));
    }
}

async fn shows_the_work_of_a_job(backend: &Backend) {
    let ended = backend.profile("remembers_by_pipe").sizes(&AGREED).await;
    let result = ended.size(AGREED[1]);
    assert_eq!(result.outcome(), Outcome::Ok, "{result:#?}");
    assert!(result.runtime_ms() >= WORK_MS, "{result:#?}");
}
