//! `instructions`: exact counts, after all timed runs.

use crate::pipeline::harness::*;
use profiler_core::job::Draft;
use profiler_core::limits::COUNT_SHARE;
use profiler_core::sandbox::fake::Fake;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{Growth, WarningCode};
use runner_protocol::{Breach, Counted, Ending, Request, Response};
use std::sync::atomic::{AtomicU64, Ordering};

fn counting(sizes: &[u64]) -> Draft {
    asking(over(sizes), |job| (job.instructions, job.growth) = (true, Growth::Timed.into()))
}

/// A linear program whose `nth` count after the check of its input, from 1, is changed by `bend`.
fn counted(bend: impl Fn(u64, &mut Counted) + Send + Sync + 'static) -> Fake {
    let nth = AtomicU64::new(0);
    linear().bending(move |mut response| {
        if let Response::Counted(counted) = &mut response
            && !is_of_empty(counted)
            && let Some(nth) = (nth.fetch_add(1, Ordering::SeqCst) + 1).checked_sub(INPUT_CHECKS)
            && nth > 0
        {
            bend(nth, counted);
        }
        Some(response)
    })
}

fn counts(told: &Told) -> Vec<Option<u64>> {
    told.report().sizes.iter().map(|size| size.instructions).collect()
}

#[tokio::test]
async fn instructions_are_counted() {
    let told = profile(counting(&[0, 1_000]), linear()).await;
    assert_eq!(counts(&told), [Some(3_000_000), Some(3_300_000)]);
    let slow_down = told.report().sizes[0].instructions_slow_down;
    assert_eq!((slow_down, told.warnings()), (Some(8.0), vec![]));
    assert!(told.report().instructions_method.is_some());
}

/// The start-up's instructions and, at a size of 1000, own and net instructions. The empty
/// program's answer is changed by `bend`.
async fn costs(bend: fn(&mut Counted)) -> [Option<u64>; 3] {
    let changed = linear().bending(move |mut response| {
        if let Response::Counted(counted) = &mut response
            && is_of_empty(counted)
        {
            bend(counted);
        }
        Some(response)
    });
    let told = profile(counting(&[1_000]), changed).await;
    let size = &told.report().sizes[0];
    let start_up = told.report().start_up.and_then(|start_up| start_up.instructions);
    [start_up, size.own_instructions, size.net_instructions]
}

#[tokio::test]
async fn start_up_is_taken_off_the_instructions() {
    let net = 3_300_000 - EMPTY_INSTRUCTIONS;
    assert_eq!(costs(|_| {}).await, [Some(EMPTY_INSTRUCTIONS), Some(3_300_000), Some(net)]);
}

#[tokio::test]
async fn net_instructions_are_absent_without_a_smaller_count_of_the_start_up() {
    let more = costs(|empty| empty.instructions = Ok(3_300_001)).await;
    assert_eq!(more, [Some(3_300_001), Some(3_300_000), None]);
    let fails = costs(|empty| empty.execution.ending = Ending::Exited(1)).await;
    assert_eq!(fails, [None, Some(3_300_000), None]);
}

#[tokio::test]
async fn instructions_are_not_counted_unasked() {
    let told = profile(over(&[0]), linear()).await;
    assert_eq!((counts(&told), &told.report().instructions_method), (vec![None], &None));
}

#[tokio::test]
async fn counting_comes_after_the_last_timed_run() {
    let heard = profile(counting(&[1, 2]), linear()).await.heard;
    let first_count = heard.iter().position(|request| matches!(request, Request::Count(_)));
    let last_run = heard.iter().rposition(|request| matches!(request, Request::Run(_)));
    assert!(first_count > last_run && last_run.is_some(), "{first_count:?} {last_run:?}");
}

#[tokio::test]
async fn first_size_says_why_nothing_can_be_counted() {
    let told = profile(
        counting(&[1, 2]),
        counted(|_, counted| counted.instructions = Err("no ptrace here".into())),
    )
    .await;
    let warnings = &told.report().warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].code(), WarningCode::InstructionsUnsupported);
    assert_eq!(warnings[0].message, "no ptrace here");
    assert_eq!(told.report().instructions_method, None);
}

#[tokio::test]
async fn two_counts_that_differ_are_none() {
    let told =
        profile(counting(&[1]), counted(|nth, counted| counted.instructions = Ok(1_000 + nth)))
            .await;
    assert_eq!((counts(&told), told.warnings()), (vec![None], vec!["not_deterministic"]));
    assert_eq!(told.report().warnings[0].message, "two runs executed 1001 and 1002 instructions");
}

#[tokio::test]
async fn count_below_that_of_an_empty_program_is_none() {
    let forged = counted(|_, counted| counted.instructions = Ok(1_000_000));
    let told = profile(counting(&[1]), forged).await;
    assert_eq!((counts(&told), told.warnings()), (vec![None], vec!["not_counted"]));
    assert_eq!(
        told.report().warnings[0].message,
        "the count is 1000000 instructions, fewer than the 2250000 of an empty program, so growth \
         is classified without counts"
    );
}

#[tokio::test]
async fn count_that_contradicts_the_processor_time_is_none() {
    let forged = counted(|_, counted| counted.instructions = Ok(2_500_000));
    // The program takes 1.1 ms, and then 101 ms.
    let told = profile(counting(&[1_000, 1_000_000]), forged).await;
    assert_eq!(counts(&told), [Some(2_500_000), None]);
    assert_eq!(told.warnings(), ["not_counted"]);
}

#[tokio::test]
async fn count_of_a_run_that_moved_its_work_into_the_kernel_is_none() {
    let moved = counted(|_, counted| counted.execution.sample.sys_ns = 1_000_000_000);
    let told = profile(counting(&[1]), moved).await;
    assert_eq!((counts(&told), told.warnings()), (vec![None], vec!["not_counted"]));
    let message = &told.report().warnings[0].message;
    assert!(message.starts_with("the counted run spent "), "{message}");
}

#[tokio::test]
async fn counted_run_that_writes_something_else_has_no_count() {
    let told =
        profile(counting(&[1]), counted(|_, counted| counted.written.stdout_sha256 = [1; 32]))
            .await;
    assert_eq!((counts(&told), told.warnings()), (vec![None], vec!["not_deterministic"]));
}

#[tokio::test]
async fn counted_run_that_ends_otherwise_has_no_count_and_the_size_stays() {
    let told = profile(
        counting(&[1, 1_000]),
        counted(|nth, counted| {
            if nth == 1 {
                counted.execution.ending = Ending::Stopped(Breach::Wall(1));
            }
        }),
    )
    .await;
    assert_eq!(counts(&told), [Some(3_000_300), None]);
    assert_eq!(told.warnings(), ["not_counted"]);
    assert!(told.runtimes_ms().iter().all(|ms| ms.is_finite()));
}

/// A program that looks its answers up in the sandbox of its timed runs executes fewer instructions
/// there.
#[tokio::test]
async fn sizes_are_counted_in_a_sandbox_in_which_nothing_was_timed() {
    let remembers = linear().bending_in(|sandbox, mut response| {
        if let Response::Counted(counted) = &mut response
            && !is_of_empty(counted)
            && sandbox == 0
        {
            counted.instructions = Ok(2_500_000);
        }
        Some(response)
    });
    let told = profile(counting(&[1_000]), remembers).await;
    assert_eq!((counts(&told), told.warnings()), (vec![Some(3_300_000)], vec![]));
    assert_eq!(told.alive, 0, "every sandbox is gone");
}

#[tokio::test]
async fn sizes_are_counted_in_the_jobs_own_sandbox_if_no_other_starts() {
    let told = profile(counting(&[1_000]), alone()).await;
    let expected = (vec![Some(3_300_000)], vec!["no_new_sandbox"]);
    assert_eq!((counts(&told), told.warnings()), expected);
}

/// A program that looks its answers up after its first counted run has two counts at the largest
/// size.
#[tokio::test]
async fn largest_size_is_counted_before_the_others() {
    let remembers = counted(|nth, counted| {
        if nth > 1 {
            counted.instructions = Ok(2_500_000);
        }
    });
    let told = profile(counting(&[1, 1_000]), remembers).await;
    assert_eq!(counts(&told), [Some(2_500_000), None]);
    assert_eq!(told.warnings(), ["not_deterministic"]);
    assert_eq!(
        told.report().warnings[0].message,
        "two runs executed 3300000 and 2500000 instructions"
    );
}

/// A largest size that cannot be counted leaves time for the others.
#[tokio::test]
async fn first_count_of_the_largest_size_takes_at_most_half_of_the_time() {
    for sizes in [&[1_000][..], &[1, 1_000]] {
        let heard = profile(counting(sizes), linear()).await.heard;
        let first = heard.iter().find_map(|request| match request {
            Request::Count(run) => Some(run.limits.wall_ns),
            _ => None,
        });
        assert_eq!(first.map(u128::from), Some(COUNT_SHARE.as_nanos()), "{sizes:?}");
    }
}

#[tokio::test]
async fn size_that_failed_is_not_counted() {
    let draft = counting(&[1, 1_000]);
    let told = profile(draft, failing(Ending::Exited(1))).await;
    assert_eq!(counts(&told), [Some(3_000_300), None]);
}

#[tokio::test]
async fn events_size_has_no_count_yet() {
    let told = profile(counting(&[1]), linear()).await;
    let measured = told.said().find_map(|kind| match kind {
        Kind::SizeMeasured(size) => Some(size.instructions),
        _ => None,
    });
    assert_eq!(measured, Some(None));
}

#[tokio::test]
async fn run_that_ends_between_counts_keeps_the_finished_ones() {
    let nth = AtomicU64::new(0);
    let lost_later = linear().bending(move |response| match &response {
        // Each size is counted twice.
        Response::Counted(counted) if !is_of_empty(counted) => {
            (nth.fetch_add(1, Ordering::SeqCst) < INPUT_CHECKS + 3).then_some(response)
        }
        _ => Some(response),
    });
    let told = profile(counting(&[0, 1_000]), lost_later).await;
    assert!(told.error().starts_with("internal: lost the sandbox"), "{}", told.error());
    assert_eq!(counts(&told), [Some(3_000_000), None]);
    assert!(told.report().instructions_method.is_some());
}
