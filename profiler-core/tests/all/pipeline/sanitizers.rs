//! A run with sanitizers at a size that failed.

use crate::pipeline::harness::{Told, asking, over, profile};
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended, ok};
use profiler_proto::v1::{Outcome, SanitizerFinding, SanitizerRun};
use runner_protocol::{Compile, Ending, Input, Request, Response, Run, Subject, Variant};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A program that crashes at n = 0 and at n = 5 and more.
fn crashing() -> Fake {
    Fake::new(|n| {
        let ends = Ending::Signaled(11);
        Some(if n == 0 || n >= 5 { ended(ends, BASE_NS, BASE_RSS) } else { ok(BASE_NS, BASE_RSS) })
    })
}

fn sanitized(sizes: &[u64]) -> Draft {
    asking(over(sizes), |job| job.sanitize = true)
}

/// The runs with sanitizers.
fn runs(told: &Told) -> Vec<Run> {
    let of_sanitized = |request: &Request| match request {
        Request::Run(run) if run.subject == Subject::Build(Variant::Sanitized) => Some(run.clone()),
        _ => None,
    };
    told.heard.iter().filter_map(of_sanitized).collect()
}

fn is_compiled(told: &Told) -> bool {
    let is_ours = |request: &Request| {
        matches!(request, Request::Compile(Compile { variant: Variant::Sanitized, .. }))
    };
    told.heard.iter().any(is_ours)
}

#[tokio::test]
async fn smallest_failing_size_above_0_runs_once_within_wider_limits() {
    let told = profile(sanitized(&[0, 1, 5, 9]), crashing()).await;
    let [sanitizer, kind, detail, function] =
        ["AddressSanitizer", "heap-buffer-overflow", "read of 4 bytes", "f"].map(String::from);
    let finding =
        Some(SanitizerFinding { sanitizer, kind, detail, line: 3, function, ..Default::default() });
    let expected = SanitizerRun { size: 5, finding, ..SanitizerRun::default() };
    assert_eq!(told.report().sanitizer, Some(expected));
    let [run] = &runs(&told)[..] else { panic!("one run") };
    assert_eq!((run.input, run.limits.address_space_bytes), (Input::Size(5), u64::MAX));
    let is_timed = |it: &&Request| matches!(it, Request::Run(run) if run.warm_up);
    let timed = told.heard.iter().rfind(is_timed);
    let Some(Request::Run(timed)) = timed else { panic!("a timed run") };
    assert!(run.limits.resident_bytes > timed.limits.resident_bytes);
    assert!(run.limits.wall_ns > timed.limits.wall_ns);
    assert_eq!(told.alive, 0);
}

#[tokio::test]
async fn size_0_runs_if_no_other_failed() {
    let told = profile(sanitized(&[0, 1, 2]), crashing()).await;
    assert_eq!(told.report().sanitizer.as_ref().map(|run| run.size), Some(0));
}

#[tokio::test]
async fn program_that_does_not_crash_or_is_not_to_be_explained_is_not_built() {
    for draft in [sanitized(&[1, 2]), over(&[1, 5])] {
        let told = profile(draft, crashing()).await;
        assert_eq!(told.report().sanitizer, None);
        assert!(!is_compiled(&told));
    }
}

/// Profiles a crashing program whose build with sanitizers, or whose run, is changed by `bend`.
async fn problem(bend: impl Fn(Response) -> Option<Response> + Send + Sync + 'static) -> Told {
    let told = profile(sanitized(&[1, 5]), crashing().bending(bend)).await;
    let outcome = told.report().sizes[1].outcome();
    assert_eq!((told.ended.is_ok(), outcome), (true, Outcome::RuntimeError));
    told
}

#[tokio::test]
async fn run_without_a_finding_says_how_it_ended() {
    let told = problem(|mut response| {
        if let Response::Batch(ran) = &mut response {
            ran.written.stderr_tail.clear();
        }
        Some(response)
    })
    .await;
    let run = told.report().sanitizer.as_ref().unwrap();
    assert_eq!(run.finding, None);
    let expected = "no sanitizer found an error; the run ended with";
    assert!(run.problem.starts_with(expected), "{}", run.problem);
}

#[tokio::test]
async fn forged_text_is_bounded() {
    let frames = "    #0 0x1 in \u{1b}[31mf /etc/main.h:7\n".repeat(2_000);
    let forged = format!("x.h:1: runtime error: {}: y\n{frames}", "k".repeat(9_000));
    let told = problem(move |mut response| {
        if let Response::Batch(ran) = &mut response
            && !ran.written.stderr_tail.is_empty()
        {
            ran.written.stderr_tail = forged.clone().into();
        }
        Some(response)
    })
    .await;
    let found = told.report().sanitizer.as_ref().and_then(|run| run.finding.as_ref());
    let found = found.expect("a finding");
    assert_eq!((found.kind.len(), found.line, found.function.as_str()), (200, 0, ""));
}

#[tokio::test]
async fn lost_sandbox_does_not_fail_the_job() {
    let told = problem(|response| match response {
        Response::Batch(ran) if !ran.written.stderr_tail.is_empty() => None,
        other => Some(other),
    })
    .await;
    let run = told.report().sanitizer.as_ref().unwrap();
    assert!(run.problem.starts_with("there was no run: "), "{}", run.problem);
}

#[tokio::test]
async fn failed_build_does_not_fail_the_job() {
    // The program and the empty one are built before.
    let builds = AtomicUsize::new(0);
    let told = problem(move |mut response| {
        if let Response::Compiled(compiled) = &mut response
            && builds.fetch_add(1, Ordering::SeqCst) >= 2
        {
            compiled.binary = None;
        }
        Some(response)
    })
    .await;
    let run = told.report().sanitizer.as_ref().unwrap();
    let expected = "the program cannot be built with sanitizers: ";
    assert!(run.problem.starts_with(expected), "{}", run.problem);
    assert!(runs(&told).is_empty());
}
