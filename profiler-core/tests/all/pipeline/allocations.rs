//! `allocations`: the allocations of the largest size.

use crate::pipeline::harness::*;
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::Fake;
use profiler_proto::v1::Growth;
use runner_protocol::{Compiled, Ending, Response};

fn recording(sizes: &[u64]) -> Draft {
    asking(over(sizes), |job| job.allocations = true)
}

#[tokio::test]
async fn largest_size_is_recorded() {
    let told = profile(recording(&[1, 2_000]), linear()).await;
    let allocations = told.report().allocations.as_ref().unwrap();
    assert_eq!(allocations.size, 2_000);
    assert_eq!(allocations.peak_bytes, allocations.sites[0].peak_bytes);
    assert_eq!(allocations.sites[0].trace[0].line, 7);
    assert_eq!(allocations.left, allocations.sites[0].left);
    assert!(told.warnings().is_empty(), "{:?}", told.warnings());
}

#[tokio::test]
async fn allocations_are_not_recorded_unasked() {
    assert_eq!(profile(over(&[1]), linear()).await.report().allocations, None);
}

#[tokio::test]
async fn program_that_always_fails_is_a_warning() {
    let told = profile(recording(&[1_000]), failing(Ending::Exited(1))).await;
    assert_eq!(told.warnings(), ["runtime_failure", "no_allocations"]);
}

#[tokio::test]
async fn program_that_does_not_link_is_a_warning() {
    let none = |compiled: &mut Compiled| compiled.binary = None;
    let draft = asking(recording(&[1]), |job| job.growth = Growth::Timed.into());
    let told = profile(draft, with_compiler(|nth| nth == 3, none)).await;
    assert_eq!(told.warnings(), ["no_allocations"]);
}

/// A linear program whose record `tell` changes.
fn telling(tell: fn(&mut runner_protocol::Allocated)) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Allocated(allocated) = &mut response {
            tell(allocated);
        }
        Some(response)
    })
}

#[tokio::test]
async fn program_that_tells_nothing_is_a_warning() {
    let told = profile(recording(&[1]), telling(|told| told.record = None)).await;
    assert_eq!(told.warnings(), ["no_allocations"]);
    assert_eq!(told.report().allocations, None);
}

#[tokio::test]
async fn allocations_told_until_a_crash_are_kept() {
    let crashes = telling(|told| told.execution.ending = Ending::Signaled(11));
    let told = profile(recording(&[1]), crashes).await;
    assert_eq!(told.warnings(), ["allocations_partial"]);
    assert!(told.report().allocations.is_some());
}

#[tokio::test]
async fn recorded_run_that_wrote_something_else_is_a_warning() {
    let otherwise = telling(|told| told.written.stdout_sha256 = [1; 32]);
    let told = profile(recording(&[1]), otherwise).await;
    assert_eq!(told.warnings(), ["not_deterministic"]);
    assert!(told.report().allocations.is_some());
}

#[tokio::test]
async fn more_blocks_than_can_be_followed_make_every_figure_a_bound() {
    let many = telling(|told| told.record.as_mut().unwrap().sums.untracked = 7);
    let told = profile(recording(&[1]), many).await;
    assert_eq!(told.warnings(), ["allocations_lower_bounds"]);
    let message = &told.report().warnings[0].message;
    for unknown in [
        "7 blocks",
        "Allocations",
        "frees",
        "blocks that are left",
        "the peak",
        "places are unknown",
    ] {
        assert!(message.contains(unknown), "{unknown}: {message}");
    }
    let method = |told: &Told| told.report().allocations.as_ref().unwrap().method.clone();
    assert!(method(&told).contains("every figure is a lower bound"));
    let exact = profile(recording(&[1]), linear()).await;
    assert!(!method(&exact).contains("bound"));
}
