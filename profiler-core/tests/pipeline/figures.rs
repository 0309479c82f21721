//! Sizes, inputs, figures and their clock.

use crate::harness::*;
use insta::assert_json_snapshot;
use profiler_core::event::EventKind;
use profiler_core::job::Draft;
use profiler_core::measure::RuntimeClock;
use profiler_core::sandbox::fake::Fake;
use runner_protocol::Ran;

#[tokio::test]
async fn default_sizes() {
    let draft = Draft { bounds: [("n".into(), 10_000)].into(), ..over(&[]) };
    assert_json_snapshot!(profile(draft, linear()).await.events);
}

#[tokio::test]
async fn explicit_inputs() {
    let draft = Draft { inputs: vec![(2, b"two".into()), (3, b"three".into())], ..over(&[2, 3]) };
    assert_json_snapshot!(profile(draft, linear()).await.events);
}

/// The fake costs as much as its input is long.
#[tokio::test]
async fn an_explicit_input_reaches_the_program_whole() {
    let draft = Draft { inputs: vec![(1, vec![b'x'; 300_000])], ..over(&[1]) };
    assert_eq!(profile(draft, linear()).await.runtimes_ms(), [31.0]);
}

/// Concurrent from size 1000 on; half of the time it waits for a processor.
fn concurrent() -> Fake {
    Fake::new(|n| {
        let mut execution = well(n);
        execution.sample.run_delay_ns = Some(execution.sample.wall_ns / 2);
        execution.sample.concurrent = n >= 1_000;
        Some(execution)
    })
}

#[tokio::test]
async fn one_concurrent_size_puts_all_on_the_wall_clock() {
    assert_json_snapshot!(profile(over(&[1, 1_000]), concurrent()).await.events);
}

#[tokio::test]
async fn a_chosen_clock_stays() {
    let draft = Draft { clock: Some(RuntimeClock::Unloaded), ..over(&[0, 1_000]) };
    assert_eq!(profile(draft, concurrent()).await.runtimes_ms(), [0.5, 0.55]);
}

/// A linear program on a kernel that does not tell how long a process waited.
fn without_schedstat() -> Fake {
    Fake::new(|n| {
        let mut execution = well(n);
        execution.sample.run_delay_ns = None;
        Some(execution)
    })
}

#[tokio::test]
async fn without_run_delay_the_clock_is_the_wall() {
    let told = profile(over(&[0]), without_schedstat()).await;
    assert_eq!(told.report().clock, RuntimeClock::Wall);
}

#[tokio::test]
async fn without_run_delay_an_event_has_figures() {
    let told = profile(over(&[0]), without_schedstat()).await;
    let measured = told.events.iter().find_map(|event| match &event.kind {
        EventKind::SizeMeasured(result) => Some(result.runtime_ms()),
        _ => None,
    });
    assert_eq!(measured, Some(1.0));
}

#[tokio::test]
async fn an_unreadable_gnu_time_ends_the_run() {
    let told = profile(over(&[1]), with_runs(|ran| ran.gnu_time = Some(b"soon".into())));
    assert_json_snapshot!(told.await.events);
}

#[tokio::test]
async fn a_gnu_time_that_failed_itself_is_left_out() {
    let told = profile(over(&[1]), with_runs(|ran| ran.gnu_time = None)).await;
    assert_eq!(told.report().sizes[0].gnu_time, None);
}

#[tokio::test]
async fn a_peak_that_gnu_time_saw_otherwise_is_a_warning() {
    let text = "Elapsed (wall clock) time (h:mm:ss or m:ss): 0:00.00\n\
                Maximum resident set size (kbytes): 10240\n";
    let told = profile(over(&[1]), with_runs(|ran| ran.gnu_time = Some(text.into()))).await;
    assert_eq!(told.report().warnings[0].message, "/usr/bin/time saw a peak of 10.0 MiB, we 3.0");
}

#[tokio::test]
async fn a_warm_up_without_repetitions_is_the_only_sample() {
    let told = profile(over(&[1]), with_runs(|ran| ran.repetitions.clear())).await;
    assert_eq!(told.report().sizes[0].samples.len(), 1);
}

#[tokio::test]
async fn a_runner_without_any_run_ends_the_run() {
    let none = |ran: &mut Ran| {
        ran.warm_up = None;
        ran.repetitions.clear();
    };
    let told = profile(over(&[1]), with_runs(none)).await;
    assert!(told.ended.is_err());
}
