//! Outcomes: however the program ends at a size, the report has an outcome, and the job goes on.

use crate::pipeline::harness::*;
use crate::pipeline::summary::summary;
use insta::assert_snapshot;
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended};
use profiler_proto::v1::{OnMemoryLimit, Outcome, SizeResult};
use runner_protocol::{Breach, Ending, Execution};

const MIB: u64 = 1 << 20;
const SECOND_NS: u64 = 1_000_000_000;

#[tokio::test]
async fn p4_a_crash_is_infinite_and_the_loop_goes_on() {
    let told = profile(over(&[1, 1_000, 5_000]), failing_at_one_size(Ending::Signaled(11)));
    assert_snapshot!(summary(&told.await));
}

/// A linear program that ends in this way at size 1,000 only.
fn failing_at_one_size(ending: Ending) -> Fake {
    Fake::new(move |n| match n {
        1_000 => Some(ended(ending, BASE_NS, BASE_RSS)),
        n => Some(well(n)),
    })
}

#[tokio::test]
async fn p4_a_crash_has_infinite_figures() {
    let told = profile(over(&[0, 1_000, 5_000]), failing_at_one_size(Ending::Signaled(11))).await;
    assert_eq!(told.runtimes_ms(), [1.0, f64::INFINITY, 1.5]);
}

#[tokio::test]
async fn crash_uses_no_peak() {
    let told = profile(over(&[1_000]), failing(Ending::Signaled(11))).await;
    assert!(told.report().sizes[0].peak_memory_mb().is_infinite());
}

#[tokio::test]
async fn crash_is_named_in_the_hotspots() {
    let told = profile(over(&[1_000, 5_000]), failing(Ending::Signaled(11))).await;
    assert_eq!(told.report().hotspots["_crash"], "SIGSEGV");
}

#[tokio::test]
async fn limit_is_named_in_the_hotspots() {
    let told = profile(over(&[1_000]), failing(Ending::Stopped(Breach::Time(2 * SECOND_NS)))).await;
    assert_eq!(told.report().hotspots["_crash"], "TIME_LIMIT");
}

#[tokio::test]
async fn exit_code_is_a_crash_without_a_signal() {
    let told = profile(over(&[1_000]), failing(Ending::Exited(3))).await;
    assert_eq!(told.report().hotspots["_crash"], "RUNTIME_ERROR");
}

#[tokio::test]
async fn p3_the_memory_limit_ends_the_run() {
    let draft = asking(over(&[1, 1_000, 5_000]), |job| {
        job.limits.get_or_insert_default().memory_mb = Some(64);
    });
    let told = profile(draft, failing(Ending::Stopped(Breach::Resident(65 * MIB)))).await;
    assert_snapshot!(summary(&told));
}

#[tokio::test]
async fn memory_limit_can_be_recorded() {
    let draft = asking(over(&[1, 1_000, 5_000]), |job| {
        job.on_memory_limit = OnMemoryLimit::Record.into();
    });
    let killed = Execution { oom_kills: 1, ..ended(Ending::Signaled(9), BASE_NS, 511 * MIB) };
    assert_snapshot!(summary(&profile(draft, failing_as(killed)).await));
}

#[tokio::test]
async fn output_limit() {
    let full = Execution { output_full: true, ..ended(Ending::Exited(0), BASE_NS, BASE_RSS) };
    assert_snapshot!(summary(&profile(over(&[1_000]), failing_as(full)).await));
}

#[tokio::test]
async fn the_time_limit() {
    let late = ended(Ending::Stopped(Breach::Time(2 * SECOND_NS)), 2 * SECOND_NS, BASE_RSS);
    assert_snapshot!(summary(&profile(over(&[1_000]), failing_as(late)).await));
}

/// A program that exceeds the time limit from size 1,000 on.
fn late_from_1000() -> Fake {
    let late = || ended(Ending::Stopped(Breach::Time(2 * SECOND_NS)), 2 * SECOND_NS, BASE_RSS);
    Fake::new(move |n| Some(if n < 1_000 { well(n) } else { late() }))
}

#[tokio::test]
async fn larger_sizes_are_skipped_after_two_limits_on_request() {
    use Outcome::{NotRun, Ok, TimeLimit};
    let sizes = [1, 1_000, 5_000, 10_000, 50_000];
    let draft = asking(over(&sizes), |job| job.skip_after_limits = true);
    let told = profile(draft, late_from_1000()).await;
    let outcomes: Vec<_> = told.report().sizes.iter().map(SizeResult::outcome).collect();
    assert_eq!(outcomes, [Ok, TimeLimit, TimeLimit, NotRun, NotRun]);
    assert_eq!(told.runtimes_ms()[1..], [f64::INFINITY; 4]);
    assert_eq!(told.report().hotspots["_crash"], "TIME_LIMIT");
    assert_eq!(told.warnings(), ["runtime_failure"; 2]);
}

#[tokio::test]
async fn every_size_runs_by_default() {
    let told = profile(over(&[1_000, 5_000, 10_000]), late_from_1000()).await;
    assert!(told.report().sizes.iter().all(|size| size.outcome() == Outcome::TimeLimit));
}

/// A program whose third repetition fails.
fn unstable() -> Fake {
    with_runs(|ran| {
        ran.repetitions.truncate(3);
        ran.repetitions[2].ending = Ending::Signaled(6);
    })
}

#[tokio::test]
async fn repetition_that_fails_is_the_outcome() {
    assert_snapshot!(summary(&profile(over(&[1]), unstable()).await));
}

#[tokio::test]
async fn samples_before_a_failure_stay() {
    let told = profile(over(&[1]), unstable()).await;
    assert_eq!(told.report().sizes[0].samples.len(), 2);
}
