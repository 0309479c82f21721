//! `advice`: changes of the program are tried against it.

use crate::pipeline::harness::*;
use profiler_core::job::Draft;
use profiler_core::limits::MAX_ADVISED_BYTES;
use profiler_proto::v1::Growth;
use runner_protocol::{Ending, Request, Response, Variant};

/// Source on line 12, which is a hot line of the fake.
const SOURCE: &str = "\n\n\n\n\n\n\n\n\n\n\nint main() { int n; cin >> n; cout << n << endl; }";

fn advised(sizes: &[u64]) -> Draft {
    let draft = asking(over(sizes), |job| job.advice = true);
    Draft { source: SOURCE.into(), ..draft }
}

#[tokio::test]
async fn change_as_fast_as_the_original_is_no_advice() {
    let told = profile(advised(&[1_000, 2_000_000]), linear()).await;
    let advice = told.report().advice.as_ref().unwrap();
    assert_eq!((advice.size, advice.given.len(), advice.left_out), (Some(2_000_000), 0, 0));
    let why: Vec<_> = advice.refused.iter().map(|it| it.why_not.as_str()).collect();
    assert_eq!(why, ["it is not clearly faster"; 3]);
    assert_eq!(told.alive, 0, "every sandbox is gone");
    let is_compile =
        |it: &&Request| matches!(it, Request::Compile(it) if it.variant == Variant::Plain);
    let compiled = told.heard.iter().filter(is_compile).count();
    assert_eq!(compiled, 5, "the job, the original again, and three changes");
}

#[tokio::test]
async fn job_that_is_measured_does_not_fail_because_its_advice_does() {
    // The sandbox of the trials dies when it is asked for the binary.
    let dies = linear().bending(|answer| match answer {
        Response::Fetched(_) => None,
        other => Some(other),
    });
    let draft = asking(advised(&[2_000_000]), |job| job.growth = Growth::Timed.into());
    let told = profile(draft, dies).await;
    assert_eq!(told.report().sizes.len(), 1);
    let problem = &told.report().advice.as_ref().unwrap().problem;
    assert!(problem.starts_with("the trials were interrupted: "), "{problem}");
    assert_eq!(told.alive, 0, "every sandbox is gone");
}

#[tokio::test]
async fn long_source_is_not_searched() {
    let source = format!("{SOURCE}\n{}", "// padding\n".repeat(MAX_ADVISED_BYTES / 11 + 1));
    let told = profile(Draft { source: source.into(), ..advised(&[2_000_000]) }, linear()).await;
    let problem = &told.report().advice.as_ref().unwrap().problem;
    assert_eq!(problem, "the source has more than 65536 bytes");
}

#[tokio::test]
async fn advice_tries_nothing_unasked_or_without_a_size() {
    let unasked = asking(advised(&[1_000]), |job| job.advice = false);
    let told = profile(unasked, linear()).await;
    assert_eq!(told.report().advice, None);
    let told = profile(advised(&[1_000]), failing(Ending::Exited(1))).await;
    let problem = &told.report().advice.as_ref().unwrap().problem;
    assert_eq!(problem, "no size ended OK");
}
