//! The experiment that finds out whether the input holds all that the program reads.

use crate::pipeline::harness::*;
use profiler_core::job::{Draft, Interactor};
use profiler_core::report::InputUse;
use profiler_core::sandbox::fake::Fake;
use profiler_growth::Effort;
use runner_protocol::{Request, Response};
use std::sync::atomic::{AtomicU64, Ordering};

const SIZES: [u64; 5] = [1_000, 5_000, 10_000, 50_000, 100_000];

/// A linear program that works more on a continued input, up to a certain amount of it.
fn starved() -> Fake {
    let nth = AtomicU64::new(0);
    linear().bending(move |mut response| {
        if let Response::Counted(counted) = &mut response {
            // After the first run come two on continued inputs, and then both kinds in turn.
            let is_continued = matches!(nth.fetch_add(1, Ordering::SeqCst), 1 | 2 | 4 | 6);
            counted.instructions = Ok(if is_continued { 900_000 } else { 100_000 });
        }
        Some(response)
    })
}

fn input_use(told: &Told) -> Option<InputUse> {
    told.report().input_check.as_ref().map(|check| check.input_use)
}

#[tokio::test]
async fn program_that_needs_no_more_has_a_class() {
    let told = profile(over(&SIZES), linear()).await;
    assert_eq!((input_use(&told), told.warnings()), (Some(InputUse::Enough), vec![]));
    assert!(told.report().growth.as_ref().unwrap().memory.class.is_some());
}

#[tokio::test]
async fn starved_program_has_none_and_costs_no_extra_runs() {
    let draft = Draft { growth: Effort::Full, ..over(&SIZES) };
    let told = profile(draft, starved()).await;
    assert_eq!(told.warnings(), ["input_exhausted"]);
    assert_eq!(input_use(&told), Some(InputUse::Starved));
    let growth = told.report().growth.as_ref().unwrap();
    for unknown in [&growth.time, &growth.memory] {
        assert_eq!((unknown.class, unknown.curve), (None, None));
        assert!(unknown.undecided.reason.contains("input"), "{unknown:?}");
    }
    let extra = |request: &&Request| matches!(request, Request::Trace(_) | Request::Allocate(_));
    assert_eq!(told.heard.iter().filter(extra).count(), 0);
}

#[tokio::test]
async fn class_on_declared_inputs_stays() {
    let inputs = SIZES.map(|size| (size, vec![b'1'; usize::try_from(size).expect("small")]));
    let told = profile(Draft { inputs: inputs.into(), ..over(&SIZES) }, starved()).await;
    assert_eq!(
        (input_use(&told), told.warnings()),
        (Some(InputUse::Starved), vec!["input_exhausted"])
    );
    assert!(told.report().growth.as_ref().unwrap().memory.class.is_some());
    assert!(told.report().warnings[0].message.contains("declaration"));
}

#[tokio::test]
async fn interactive_task_is_not_tried() {
    let interactor = Some(Interactor { source: b"int main() {}".into(), flags: Vec::new() });
    let told = profile(Draft { interactor, ..over(&[1_000]) }, linear()).await;
    assert_eq!(input_use(&told), None);
}
