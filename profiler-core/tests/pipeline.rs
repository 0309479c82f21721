//! The whole pipeline over the fake sandbox: every event of a run, and what the run returns.

use insta::assert_json_snapshot;
use profiler_core::error::{ErrorCode, SandboxError};
use profiler_core::event::{Event, EventKind};
use profiler_core::job::{Draft, Job, OnMemoryLimit, RuntimeClock};
use profiler_core::report::ProfileReport;
use profiler_core::run::{Events, conduct, stop_signal};
use profiler_core::sandbox::Pool;
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended, ok};
use profiler_core::schedule::SizeLists;
use runner_protocol::{Binary, Breach, Ending, Execution, Response};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const MIB: u64 = 1 << 20;
const SECOND_NS: u64 = 1_000_000_000;

/// What came out of a run.
struct Told {
    events: Vec<Event>,
    ended: Result<ProfileReport, SandboxError>,
    /// Sandboxes that are left.
    alive: usize,
}

impl Told {
    fn report(&self) -> &ProfileReport {
        match &self.ended {
            Ok(report) => report,
            Err(error) => &error.partial,
        }
    }

    /// `size_measured` and the like, in order.
    fn kinds(&self) -> Vec<&'static str> {
        self.events.iter().map(|event| name(&event.kind)).collect()
    }

    fn error(&self) -> String {
        self.ended
            .as_ref()
            .map_or_else(ToString::to_string, |_| "none".into())
    }

    fn warnings(&self) -> Vec<&'static str> {
        self.report().warnings.iter().map(|w| w.code).collect()
    }

    fn runtimes_ms(&self) -> Vec<f64> {
        let sizes = self.report().sizes.iter();
        sizes.map(|size| size.runtime_ms()).collect()
    }
}

fn name(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::Accepted { .. } => "accepted",
        EventKind::Compiled(_) => "compiled",
        EventKind::SizeMeasured(_) => "size_measured",
        EventKind::Heartbeat { .. } => "heartbeat",
        EventKind::Finished(_) => "finished",
        EventKind::Failed(_) => "failed",
    }
}

/// Runs `draft` to its end.
async fn profile(draft: Draft, backend: Fake) -> Told {
    profile_stopping(draft, backend, |_| None).await
}

/// Runs `draft`, and stops it for the reason that `reason` sees in an event.
async fn profile_stopping(
    draft: Draft,
    backend: Fake,
    reason: impl Fn(&EventKind) -> Option<ErrorCode>,
) -> Told {
    let job = Job::try_from(draft).expect("a valid draft");
    let alive = backend.alive();
    let pool = Pool::new(Arc::new(backend), 0);
    let (mut events, mut told) = Events::new("run");
    let (stopper, mut stopped) = stop_signal();
    let running = async {
        let ended = conduct(&job, &pool, &mut events, &mut stopped).await;
        // The stream of events ends with the run.
        drop(events);
        ended
    };
    let watching = async {
        let mut events = Vec::new();
        while let Some(event) = told.recv().await {
            if let Some(code) = reason(&event.kind) {
                stopper.stop(code);
            }
            events.push(event);
        }
        events
    };
    let (ended, events) = tokio::join!(running, watching);
    let alive = alive.load(Ordering::SeqCst);
    Told {
        events,
        ended,
        alive,
    }
}

/// A program over exactly these sizes.
fn over(sizes: &[u32]) -> Draft {
    let sizes = SizeLists {
        exact: sizes.into(),
        ..SizeLists::default()
    };
    Draft {
        task_id: "task".into(),
        iteration: 1,
        source: b"int main() {}".into(),
        sizes,
        ..Draft::default()
    }
}

/// A program that costs 100 ns and 8 bytes for each element.
fn linear() -> Fake {
    Fake::costing(100, 8)
}

/// A linear program that ends as `ending` from size 1000 on.
fn failing(ending: Ending) -> Fake {
    failing_as(ended(ending, BASE_NS, BASE_RSS))
}

fn failing_as(execution: Execution) -> Fake {
    Fake::new(move |n| {
        Some(if n < 1_000 {
            well(n)
        } else {
            execution.clone()
        })
    })
}

fn well(n: u32) -> Execution {
    ok(BASE_NS + 100 * u64::from(n), BASE_RSS + 8 * u64::from(n))
}

/// A program whose runs are all bent so.
fn with_runs(bend: impl Fn(&mut runner_protocol::Ran) + Send + Sync + 'static) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Ran(ran) = &mut response {
            bend(ran);
        }
        Some(response)
    })
}

/// A compiler whose `nth` compilation, from 1, is bent so; for `None` its sandbox is lost.
fn with_compiler(
    nth: impl Fn(usize) -> bool + Send + Sync + 'static,
    bend: impl Fn(&mut runner_protocol::Compiled) -> Option<()> + Send + Sync + 'static,
) -> Fake {
    let count = AtomicUsize::new(0);
    linear().bending(move |mut response| {
        if let Response::Compiled(compiled) = &mut response
            && nth(count.fetch_add(1, Ordering::SeqCst) + 1)
        {
            bend(compiled)?;
        }
        Some(response)
    })
}

fn dies(compiled: &mut runner_protocol::Compiled) -> Option<()> {
    compiled.execution.ending = Ending::Signaled(11);
    compiled.binary = None;
    Some(())
}

#[tokio::test]
async fn default_sizes() {
    let draft = Draft {
        bounds: [("n".into(), 10_000)].into(),
        ..over(&[])
    };
    assert_json_snapshot!(profile(draft, linear()).await.events);
}

#[tokio::test]
async fn explicit_inputs() {
    let draft = Draft {
        inputs: vec![(2, b"two".into()), (3, b"three".into())],
        ..over(&[2, 3])
    };
    assert_json_snapshot!(profile(draft, linear()).await.events);
}

/// The fake costs as much as its input is long.
#[tokio::test]
async fn an_explicit_input_reaches_the_program_whole() {
    let draft = Draft {
        inputs: vec![(1, vec![b'x'; 300_000])],
        ..over(&[1])
    };
    assert_eq!(profile(draft, linear()).await.runtimes_ms(), [31.0]);
}

#[tokio::test]
async fn p4_a_crash_is_infinite_and_the_loop_goes_on() {
    let told = profile(
        over(&[1, 1_000, 5_000]),
        failing_at_one_size(Ending::Signaled(11)),
    );
    assert_json_snapshot!(told.await.events);
}

/// Linear, but at size 1000 it ends so.
fn failing_at_one_size(ending: Ending) -> Fake {
    Fake::new(move |n| match n {
        1_000 => Some(ended(ending, BASE_NS, BASE_RSS)),
        n => Some(well(n)),
    })
}

#[tokio::test]
async fn p4_a_crash_has_infinite_figures() {
    let told = profile(
        over(&[0, 1_000, 5_000]),
        failing_at_one_size(Ending::Signaled(11)),
    )
    .await;
    assert_eq!(told.runtimes_ms(), [1.0, f64::INFINITY, 1.5]);
}

#[tokio::test]
async fn a_crash_uses_no_peak() {
    let told = profile(over(&[1_000]), failing(Ending::Signaled(11))).await;
    assert!(told.report().sizes[0].peak_memory_mb().is_infinite());
}

#[tokio::test]
async fn a_crash_is_named_in_the_hotspots() {
    let told = profile(over(&[1_000, 5_000]), failing(Ending::Signaled(11))).await;
    assert_eq!(told.report().strict_hotspots()["_crash"], "SIGSEGV");
}

#[tokio::test]
async fn an_exit_code_is_a_crash_without_a_signal() {
    let told = profile(over(&[1_000]), failing(Ending::Exited(3))).await;
    assert_eq!(told.report().strict_hotspots()["_crash"], "RUNTIME_ERROR");
}

#[tokio::test]
async fn p3_the_memory_limit_ends_the_run() {
    let draft = Draft {
        memory_mb: Some(64),
        ..over(&[1, 1_000, 5_000])
    };
    let told = profile(draft, failing(Ending::Stopped(Breach::Resident(65 * MIB)))).await;
    assert_json_snapshot!(told.events);
}

#[tokio::test]
async fn the_memory_limit_can_be_recorded() {
    let draft = Draft {
        on_memory_limit: OnMemoryLimit::Record,
        ..over(&[1, 1_000, 5_000])
    };
    let killed = Execution {
        oom_kills: 1,
        ..ended(Ending::Signaled(9), BASE_NS, 511 * MIB)
    };
    assert_json_snapshot!(profile(draft, failing_as(killed)).await.events);
}

#[tokio::test]
async fn segments_that_do_not_fit_are_not_started() {
    let huge = |compiled: &mut runner_protocol::Compiled| {
        compiled.binary = Some(Binary {
            bytes: 16_384,
            segment_bytes: 1024 * MIB,
        });
        Some(())
    };
    let told = profile(over(&[1, 2]), with_compiler(|_| true, huge)).await;
    assert_json_snapshot!(told.events);
}

#[tokio::test]
async fn the_output_limit() {
    let full = Execution {
        output_full: true,
        ..ended(Ending::Exited(0), BASE_NS, BASE_RSS)
    };
    assert_json_snapshot!(profile(over(&[1_000]), failing_as(full)).await.events);
}

#[tokio::test]
async fn the_time_limit() {
    let late = ended(Ending::Stopped(Breach::Time), 2 * SECOND_NS, BASE_RSS);
    assert_json_snapshot!(profile(over(&[1_000]), failing_as(late)).await.events);
}

#[tokio::test]
async fn a_program_that_does_not_compile() {
    let draft = Draft {
        source: b"#error".into(),
        ..over(&[1])
    };
    assert_json_snapshot!(profile(draft, linear()).await.events);
}

#[tokio::test]
async fn a_compiler_that_dies_once_is_started_again() {
    let told = profile(over(&[1]), with_compiler(|nth| nth == 1, dies)).await;
    assert_json_snapshot!(told.events);
}

#[tokio::test]
async fn a_compiler_that_dies_again_ends_the_run() {
    let told = profile(over(&[1]), with_compiler(|_| true, dies)).await;
    assert_eq!(told.error(), "compile: the compiler was ended by SIGSEGV");
}

#[tokio::test]
async fn a_sandbox_lost_while_compiling_is_replaced() {
    let told = profile(over(&[1]), with_compiler(|nth| nth == 1, |_| None)).await;
    assert_eq!(told.kinds(), ["compiled", "size_measured", "finished"]);
}

#[tokio::test]
async fn two_sandboxes_lost_while_compiling_end_the_run() {
    let told = profile(over(&[1]), with_compiler(|_| true, |_| None)).await;
    assert_eq!(
        told.error(),
        "internal: lost the sandbox: the channel to the runner ended"
    );
}

#[tokio::test]
async fn a_sandbox_lost_while_measuring_ends_the_run() {
    let told = profile(
        over(&[1, 2]),
        linear().bending(|response| match response {
            Response::Ran(_) => None,
            other => Some(other),
        }),
    );
    assert_json_snapshot!(told.await.events);
}

#[tokio::test]
async fn a_broken_runner_ends_the_run() {
    let broken = linear().bending(|response| match response {
        Response::Ran(_) => Some(Response::Broken("wipe scratch".into())),
        other => Some(other),
    });
    let told = profile(over(&[1]), broken).await;
    assert_eq!(told.error(), "internal: runner: wipe scratch");
}

/// What the runner answers instead of a response of the kind that `asked` picks.
async fn answered_wrongly(asked: fn(&Response) -> bool) -> String {
    let wrong = linear().bending(move |response| {
        Some(if asked(&response) {
            Response::Profiled(runner_protocol::Profiled {
                execution: well(0),
                listing: None,
            })
        } else {
            response
        })
    });
    profile(over(&[1]), wrong).await.error()
}

#[tokio::test]
async fn a_wrong_answer_to_a_compilation_ends_the_run() {
    assert_eq!(
        answered_wrongly(|response| matches!(response, Response::Compiled(_))).await,
        "internal: lost the sandbox: unexpected Profiled from the runner"
    );
}

#[tokio::test]
async fn a_wrong_answer_to_a_run_ends_the_run() {
    assert_eq!(
        answered_wrongly(|response| matches!(response, Response::Ran(_))).await,
        "internal: lost the sandbox: unexpected Profiled from the runner"
    );
}

fn debugging(sizes: &[u32]) -> Draft {
    Draft {
        debug: true,
        ..over(sizes)
    }
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
    let none = |compiled: &mut runner_protocol::Compiled| {
        compiled.binary = None;
        Some(())
    };
    let told = profile(debugging(&[1]), with_compiler(|nth| nth == 2, none)).await;
    assert_eq!(told.warnings(), ["no_hotspots"]);
}

/// A linear program whose profile is listed so.
fn listed(listing: Option<&'static str>) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Profiled(profiled) = &mut response {
            profiled.listing = listing.map(Into::into);
        }
        Some(response)
    })
}

#[tokio::test]
async fn a_program_without_gmon_out_is_a_warning() {
    let told = profile(debugging(&[1]), listed(None)).await;
    let warnings = &told.report().warnings;
    assert_eq!(warnings[0].message, "the program left no gmon.out");
}

#[tokio::test]
async fn a_profile_without_samples_is_a_warning() {
    let told = profile(debugging(&[1]), listed(Some(""))).await;
    assert_eq!(told.warnings(), ["no_hotspots"]);
}

#[tokio::test]
async fn a_wrong_answer_to_a_profile_ends_the_run() {
    let wrong = linear().bending(|response| match response {
        Response::Profiled(profiled) => Some(Response::Ran(runner_protocol::Ran {
            warm_up: Some(profiled.execution),
            gnu_time: None,
            repetitions: Vec::new(),
            written: runner_protocol::Written::default(),
        })),
        other => Some(other),
    });
    let told = profile(debugging(&[1]), wrong).await;
    assert_eq!(
        told.error(),
        "internal: lost the sandbox: unexpected Ran from the runner"
    );
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
    let draft = Draft {
        clock: Some(RuntimeClock::Unloaded),
        ..over(&[0, 1_000])
    };
    assert_eq!(
        profile(draft, concurrent()).await.runtimes_ms(),
        [0.5, 0.55]
    );
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
    let told = profile(
        over(&[1]),
        with_runs(|ran| ran.gnu_time = Some(b"soon".into())),
    );
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
    let told = profile(
        over(&[1]),
        with_runs(|ran| ran.gnu_time = Some(text.into())),
    )
    .await;
    assert_eq!(
        told.report().warnings[0].message,
        "/usr/bin/time saw a peak of 10.0 MiB, we 3.0"
    );
}

/// The third of the repetitions fails.
fn unstable() -> Fake {
    with_runs(|ran| {
        ran.repetitions.truncate(3);
        ran.repetitions[2].ending = Ending::Signaled(6);
    })
}

#[tokio::test]
async fn a_repetition_that_fails_is_the_outcome() {
    assert_json_snapshot!(profile(over(&[1]), unstable()).await.events);
}

#[tokio::test]
async fn the_samples_before_a_failure_stay() {
    let told = profile(over(&[1]), unstable()).await;
    assert_eq!(told.report().sizes[0].samples.len(), 2);
}

#[tokio::test]
async fn a_warm_up_without_repetitions_is_the_only_sample() {
    let told = profile(over(&[1]), with_runs(|ran| ran.repetitions.clear())).await;
    assert_eq!(told.report().sizes[0].samples.len(), 1);
}

#[tokio::test]
async fn a_runner_without_any_run_ends_the_run() {
    let none = |ran: &mut runner_protocol::Ran| {
        ran.warm_up = None;
        ran.repetitions.clear();
    };
    let told = profile(over(&[1]), with_runs(none)).await;
    assert!(told.ended.is_err());
}

#[tokio::test]
async fn flags_that_make_figures_incomparable_are_a_warning() {
    let draft = Draft {
        flags: vec!["-O2".into(), "-march=native".into()],
        ..over(&[1])
    };
    let told = profile(draft, linear()).await;
    assert_eq!(told.warnings(), ["incomparable_flag"]);
}

#[tokio::test]
async fn missing_tools_end_the_run() {
    let bare = linear().bending(|mut response| {
        if let Response::Hello(hello) = &mut response {
            hello.missing_tools = vec!["/usr/bin/time".into()];
        }
        Some(response)
    });
    let told = profile(over(&[1]), bare).await;
    assert_eq!(
        told.error(),
        "internal: unsupported here: the sandbox lacks /usr/bin/time: install g++, binutils and time"
    );
}

#[tokio::test]
async fn a_sandbox_that_cannot_be_started_ends_the_run() {
    let fake = linear();
    fake.available().store(false, Ordering::SeqCst);
    assert_json_snapshot!(profile(over(&[1]), fake).await.events);
}

/// A program that never ends from size 1000 on.
fn endless() -> Fake {
    Fake::new(|n| (n < 1_000).then(|| well(n)))
}

/// An endless program, stopped when its first size has been measured.
async fn stopped_by(code: ErrorCode) -> Told {
    profile_stopping(over(&[1, 1_000]), endless(), |kind| {
        matches!(kind, EventKind::SizeMeasured(_)).then_some(code)
    })
    .await
}

#[tokio::test]
async fn a_cancelled_run_keeps_what_it_measured() {
    assert_json_snapshot!(stopped_by(ErrorCode::Cancelled).await.events);
}

#[tokio::test]
async fn a_cancelled_run_leaves_no_sandbox() {
    assert_eq!(stopped_by(ErrorCode::Cancelled).await.alive, 0);
}

#[tokio::test]
async fn a_deadline_ends_the_run() {
    assert_eq!(
        stopped_by(ErrorCode::Deadline).await.error(),
        "deadline: the run was stopped: deadline"
    );
}

#[tokio::test]
async fn a_shutdown_ends_the_run() {
    assert_eq!(
        stopped_by(ErrorCode::Interrupted).await.error(),
        "interrupted: the run was stopped: interrupted"
    );
}

#[tokio::test]
async fn the_first_reason_to_stop_counts() {
    let (stopper, mut stopped) = stop_signal();
    stopper.stop(ErrorCode::Deadline);
    stopper.stop(ErrorCode::Cancelled);
    assert_eq!(stopped.stopped().await, ErrorCode::Deadline);
}

/// Nobody is left who could stop it, which is no reason to end.
#[tokio::test]
async fn a_run_whose_stopper_is_gone_goes_on() {
    let job = Job::try_from(over(&[1])).expect("a valid draft");
    let pool = Pool::new(Arc::new(linear()), 0);
    let (mut events, _told) = Events::new("run");
    let (_, mut stopped) = stop_signal();
    assert!(
        conduct(&job, &pool, &mut events, &mut stopped)
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_run_that_nobody_watches_goes_on() {
    let job = Job::try_from(over(&[1])).expect("a valid draft");
    let pool = Pool::new(Arc::new(linear()), 0);
    let (mut events, _) = Events::new("run");
    let (_stopper, mut stopped) = stop_signal();
    assert!(
        conduct(&job, &pool, &mut events, &mut stopped)
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_run_stopped_before_it_begins_measures_nothing() {
    let job = Job::try_from(over(&[1])).expect("a valid draft");
    let pool = Pool::new(Arc::new(linear()), 0);
    let (mut events, _told) = Events::new("run");
    let (stopper, mut stopped) = stop_signal();
    stopper.stop(ErrorCode::Cancelled);
    let error = conduct(&job, &pool, &mut events, &mut stopped).await;
    assert_eq!(error.map_err(|error| error.code), Err(ErrorCode::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn a_runner_that_never_answers_ends_the_run() {
    let told = profile(over(&[1_000]), endless()).await;
    assert_eq!(
        told.error().split_inclusive("within").next(),
        Some("internal: the runner did not answer within")
    );
}

#[tokio::test]
async fn a_finished_run_leaves_no_sandbox() {
    assert_eq!(profile(over(&[1]), linear()).await.alive, 0);
}

#[tokio::test]
async fn a_report_is_the_last_event() {
    let told = profile(over(&[1]), linear()).await;
    let last = told.events.last().map(|event| event.kind.clone());
    assert_eq!(last, told.ended.ok().map(Box::new).map(EventKind::Finished));
}

#[tokio::test]
async fn an_error_is_the_last_event() {
    let told = stopped_by(ErrorCode::Cancelled).await;
    let last = told.events.last().map(|event| event.kind.clone());
    assert_eq!(last, told.ended.err().map(Box::new).map(EventKind::Failed));
}

#[tokio::test]
async fn only_the_last_event_is_last() {
    let told = profile(over(&[1, 2]), linear()).await;
    let last: Vec<_> = told
        .events
        .iter()
        .map(|event| event.kind.is_last())
        .collect();
    assert_eq!(last, [false, false, false, true]);
}
