//! `debug`: hotspots.

use crate::pipeline::harness::*;
use crate::pipeline::summary::summary;
use insta::assert_snapshot;
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended, ok};
use profiler_proto::v1::{HotspotsMethod, WarningCode};
use runner_protocol::{
    BatchResult, Compiled, Ending, Profile, Request, Response, SampledLines, Trace, Traced, Written,
};
use std::sync::atomic::{AtomicUsize, Ordering};

fn debugging(sizes: &[u64]) -> Draft {
    asking(over(sizes), |job| job.debug = true)
}

#[tokio::test]
async fn p5_debug_finds_hotspots() {
    assert_snapshot!(summary(&profile(debugging(&[1, 2]), linear()).await));
}

#[tokio::test]
async fn p5_hotspots_have_the_strict_form() {
    let told = profile(debugging(&[1]), linear()).await;
    assert_eq!(
        told.report().hotspots["line_7"],
        "75.0% self, 75.0% inclusive, 750075 times, in work(int)"
    );
}

#[tokio::test]
async fn lines_that_the_source_numbers_itself_are_warned_of() {
    let numbered = |source: &str| Draft { source: source.into(), ..debugging(&[1]) };
    let told = profile(numbered("int a;\n # line 7 \"other.y\"\nint main() {}\n"), linear()).await;
    assert_eq!(told.warnings(), ["line_directives"]);
    let told = profile(numbered("int main() { asm(\".loc 1 5\"); }\n"), linear()).await;
    assert_eq!(told.warnings(), ["line_directives"]);
    let told = profile(numbered("#define line 7\nint main() {}\n"), linear()).await;
    assert_eq!(told.warnings(), Vec::<&str>::new());
}

/// A program whose runs take long enough to be sampled.
fn long() -> Fake {
    Fake::new(|_| Some(ok(100_000_000, BASE_RSS)))
}

fn timed(is_asked: bool) -> Draft {
    asking(debugging(&[1]), |job| job.time_shares = is_asked)
}

/// The line, its share of the time, and whether that differs.
fn times(told: &Told) -> Vec<(u32, Option<f64>, bool)> {
    let lines = told.report().hotspot_lines.iter();
    lines.map(|line| (line.line, line.time_share, line.time_differs)).collect()
}

#[tokio::test]
async fn lines_of_a_long_run_have_their_share_of_the_time_if_asked() {
    let is_request = |request: &Request| matches!(request, Request::SampleLines(_));
    let told = profile(timed(true), long()).await;
    assert_eq!(times(&told), [(7, Some(0.2), true), (12, Some(0.8), true)]);
    assert_eq!(told.heard.iter().filter(|it| is_request(it)).count(), 1);
    for (is_asked, backend) in [(false, long()), (true, linear())] {
        let told = profile(timed(is_asked), backend).await;
        assert_eq!(times(&told), [(7, None, false), (12, None, false)]);
        assert!(!told.heard.iter().any(is_request));
    }
}

#[tokio::test]
async fn samples_that_are_lost_or_of_another_run_are_no_error() {
    let bent = |bend: fn(SampledLines) -> Option<SampledLines>| {
        long().bending(move |response| match response {
            Response::SampledLines(sampled) => bend(sampled).map(Response::SampledLines),
            other => Some(other),
        })
    };
    let bends: [fn(SampledLines) -> Option<SampledLines>; 4] = [
        |_| None,
        |it| Some(SampledLines { samples: 1, ..it }),
        |it| Some(SampledLines { written: Written { stdout_sha256: [1; 32], ..it.written }, ..it }),
        |it| Some(SampledLines { execution: ended(Ending::Signaled(9), BASE_NS, BASE_RSS), ..it }),
    ];
    for bend in bends {
        let told = profile(timed(true), bent(bend)).await;
        assert_eq!(times(&told), [(7, None, false), (12, None, false)]);
        assert_eq!(told.warnings(), Vec::<&str>::new());
    }
}

#[tokio::test]
async fn debug_takes_the_largest_size_that_ended_ok() {
    let draft = asking(debugging(&[10, 2_000]), |job| {
        job.inputs = inputs([(10, vec![0_u8; 10]), (2_000, vec![0; 2_000])]);
    });
    let told = profile(draft, failing(Ending::Exited(1))).await;
    assert!(!told.report().hotspot_lines.is_empty());
}

#[tokio::test]
async fn debug_of_a_program_that_always_fails_is_a_warning() {
    let told = profile(debugging(&[1_000]), failing(Ending::Exited(1))).await;
    assert_eq!(told.warnings(), ["runtime_failure", "no_hotspots"]);
}

/// The program compiles, but not for gprof, which is needed because nothing can be counted.
#[tokio::test]
async fn program_that_only_compiles_without_gprof_has_no_hotspots() {
    let compiled = AtomicUsize::new(0);
    let is_third = move || compiled.fetch_add(1, Ordering::SeqCst) == 2;
    let bend = move |response| match response {
        Response::Traced(traced) => {
            let trace = Err("it starts a thread".into());
            Response::Traced(Traced { trace, ..traced })
        }
        Response::Compiled(compiled) if is_third() => {
            let mut execution = compiled.execution;
            execution.ending = Ending::Exited(4);
            execution.sample.cpu_ns = Some(10_000_000_000);
            Response::Compiled(Compiled { binary: None, execution, ..compiled })
        }
        other => other,
    };
    let told = profile(debugging(&[1]), linear().bending(move |it| Some(bend(it)))).await;
    assert_eq!(told.warnings(), ["instructions_unsupported", "no_hotspots"]);
    assert_eq!(
        told.report().warnings[1].message,
        "the program cannot be compiled with -pg: the compiler exceeded 10 s of processor time"
    );
}

/// A linear program whose trace `bend` changes.
fn traced(bend: impl Fn(&mut Traced) + Send + Sync + 'static) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Traced(traced) = &mut response {
            bend(traced);
        }
        Some(response)
    })
}

fn is_sampled(told: &Told) -> bool {
    told.report().hotspots_method() == HotspotsMethod::Gprof
        && told.report().hotspot_lines[0].instructions.is_none()
}

#[tokio::test]
async fn hotspots_are_counted_and_gprof_is_not_run() {
    let told = profile(debugging(&[1]), linear()).await;
    assert_eq!(told.report().hotspots_method(), HotspotsMethod::Instructions);
    assert!(!told.heard.iter().any(|request| matches!(request, Request::Profile(_))));
    assert_eq!(told.warnings(), Vec::<&str>::new());
}

#[tokio::test]
async fn uncountable_program_is_sampled_and_says_why() {
    let told =
        profile(debugging(&[1]), traced(|t| t.trace = Err("it starts a thread".into()))).await;
    assert!(is_sampled(&told));
    let warning = &told.report().warnings[0];
    assert_eq!(warning.code(), WarningCode::InstructionsUnsupported);
    assert_eq!(warning.message, "hotspots are sampled: it starts a thread");
}

#[tokio::test]
async fn traced_run_that_ends_otherwise_is_not_believed() {
    let killed = |t: &mut Traced| t.execution.ending = Ending::Signaled(9);
    let told = profile(debugging(&[1]), traced(killed)).await;
    assert!(is_sampled(&told));
    assert_eq!(told.warnings(), ["not_counted"]);
}

#[tokio::test]
async fn traced_run_that_writes_something_else_is_not_believed() {
    let told = profile(debugging(&[1]), traced(|t| t.written.stdout_sha256 = [1; 32])).await;
    assert!(is_sampled(&told));
    assert_eq!(told.warnings(), ["not_deterministic"]);
}

#[tokio::test]
async fn trace_that_contradicts_the_timed_runs_is_not_believed() {
    let forged = |t: &mut Traced| {
        t.trace = t.trace.clone().map(|trace| Trace { instructions: 1_000_000, ..trace });
    };
    let told = profile(debugging(&[1]), traced(forged)).await;
    assert!(is_sampled(&told));
    assert_eq!(told.warnings(), ["not_counted"]);
}

#[tokio::test]
async fn lines_of_nothing_are_sampled() {
    let nothing = |t: &mut Traced| t.trace = Ok(Trace::default());
    assert!(is_sampled(&profile(debugging(&[1]), traced(nothing)).await));
}

#[tokio::test]
async fn more_chains_of_calls_than_are_told_apart_are_a_warning() {
    let partial =
        |t: &mut Traced| t.trace = t.trace.clone().map(|t| Trace { is_partial: true, ..t });
    let told = profile(debugging(&[1]), traced(partial)).await;
    assert_eq!(told.warnings(), ["partial_call_stacks"]);
}

/// A linear program that cannot be counted, with this output of gprof.
fn listed(listing: Option<&'static str>) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Traced(traced) = &mut response {
            traced.trace = Err("it starts a thread".into());
        }
        if let Response::Profiled(profiled) = &mut response {
            profiled.profile =
                listing.map_or(Profile::Absent, |text| Profile::Listing(text.into()));
        }
        Some(response)
    })
}

#[tokio::test]
async fn program_without_gmon_out_is_a_warning() {
    let told = profile(debugging(&[1]), listed(None)).await;
    let warnings = &told.report().warnings;
    assert_eq!(warnings[1].message, "the program left no profile");
}

#[tokio::test]
async fn profile_without_samples_is_a_warning() {
    let told = profile(debugging(&[1]), listed(Some(""))).await;
    assert_eq!(told.warnings(), ["instructions_unsupported", "no_hotspots"]);
}

#[tokio::test]
async fn wrong_answer_to_a_profile_ends_the_run() {
    let wrong = linear().bending(|response| match response {
        Response::Traced(traced) => Some(Response::Batch(BatchResult {
            warm_up: Some(traced.execution),
            gnu_time: None,
            repetitions: Vec::new(),
            written: Written::default(),
            ..BatchResult::default()
        })),
        other => Some(other),
    });
    let told = profile(debugging(&[1]), wrong).await;
    assert_eq!(told.error(), "internal: lost the sandbox: unexpected Batch from the runner");
}
