//! `debug`: where the time goes.

use crate::harness::*;
use insta::assert_json_snapshot;
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::Fake;
use runner_protocol::{Compiled, Ending, Profile, Ran, Response, Written};

fn debugging(sizes: &[u32]) -> Draft {
    Draft { debug: true, ..over(sizes) }
}

#[tokio::test]
async fn p5_debug_finds_hotspots() {
    assert_json_snapshot!(profile(debugging(&[1, 2]), linear()).await.events);
}

#[tokio::test]
async fn p5_hotspots_have_the_strict_form() {
    let told = profile(debugging(&[1]), linear()).await;
    assert_eq!(
        told.report().strict_hotspots()["line_7"],
        "75.0% self, 75.0% cumulative, in work(int)"
    );
}

#[tokio::test]
async fn debug_takes_the_largest_size_that_ended_ok() {
    let draft = Draft {
        inputs: vec![(10, vec![0; 10]), (2_000, vec![0; 2_000])],
        ..debugging(&[10, 2_000])
    };
    let told = profile(draft, failing(Ending::Exited(1))).await;
    assert!(!told.report().hotspots.is_empty());
}

#[tokio::test]
async fn debug_of_a_program_that_always_fails_is_a_warning() {
    let told = profile(debugging(&[1_000]), failing(Ending::Exited(1))).await;
    assert_eq!(told.warnings(), ["runtime_failure", "no_hotspots"]);
}

#[tokio::test]
async fn debug_of_a_program_that_does_not_compile_with_it_is_a_warning() {
    let none = |compiled: &mut Compiled| {
        compiled.binary = None;
    };
    let told = profile(debugging(&[1]), with_compiler(|nth| nth == 3, none)).await;
    assert_eq!(told.warnings(), ["no_hotspots"]);
}

/// A linear program whose profile is listed so.
fn listed(listing: Option<&'static str>) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Profiled(profiled) = &mut response {
            profiled.profile =
                listing.map_or(Profile::Absent, |text| Profile::Listing(text.into()));
        }
        Some(response)
    })
}

#[tokio::test]
async fn a_program_without_gmon_out_is_a_warning() {
    let told = profile(debugging(&[1]), listed(None)).await;
    let warnings = &told.report().warnings;
    assert_eq!(warnings[0].message, "the program left no profile");
}

#[tokio::test]
async fn a_profile_without_samples_is_a_warning() {
    let told = profile(debugging(&[1]), listed(Some(""))).await;
    assert_eq!(told.warnings(), ["no_hotspots"]);
}

#[tokio::test]
async fn a_wrong_answer_to_a_profile_ends_the_run() {
    let wrong = linear().bending(|response| match response {
        Response::Profiled(profiled) => Some(Response::Ran(Ran {
            warm_up: Some(profiled.execution),
            gnu_time: None,
            repetitions: Vec::new(),
            written: Written::default(),
        })),
        other => Some(other),
    });
    let told = profile(debugging(&[1]), wrong).await;
    assert_eq!(told.error(), "internal: lost the sandbox: unexpected Ran from the runner");
}
