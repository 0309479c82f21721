//! Endings of a run: canceled, lost, or with a report.

use crate::pipeline::harness::*;
use crate::pipeline::summary::summary;
use insta::assert_snapshot;
use profiler_core::cancel::cancel_signal;
use profiler_core::job::Job;
use profiler_core::report::Events;
use profiler_core::sandbox::Pool;
use profiler_core::sandbox::fake::Fake;
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::v1::ErrorCode;
use profiler_proto::v1::event::Kind;
use runner_protocol::{Profile, Profiled, Response};
use std::sync::Arc;
use std::sync::atomic::Ordering;

#[tokio::test]
async fn sandbox_lost_while_measuring_ends_the_run() {
    let told = profile(
        over(&[1, 2]),
        linear().bending(|response| match response {
            Response::Batch(_) => None,
            other => Some(other),
        }),
    );
    assert_snapshot!(summary(&told.await));
}

#[tokio::test]
async fn broken_runner_ends_the_run() {
    let broken = linear().bending(|response| match response {
        Response::Batch(_) => Some(Response::Broken("wipe scratch".into())),
        other => Some(other),
    });
    let told = profile(over(&[1]), broken).await;
    assert_eq!(told.error(), "internal: cannot use the runner: wipe scratch");
}

/// Runs a job whose runner sends a wrong answer instead of the response that `asked` picks; returns
/// the error.
async fn answered_wrongly(asked: fn(&Response) -> bool) -> String {
    let wrong = linear().bending(move |response| {
        Some(if asked(&response) {
            Response::Profiled(Profiled { execution: well(0), profile: Profile::Absent })
        } else {
            response
        })
    });
    profile(over(&[1]), wrong).await.error()
}

#[tokio::test]
async fn wrong_answer_to_a_compilation_ends_the_run() {
    assert_eq!(
        answered_wrongly(|response| matches!(response, Response::Compiled(_))).await,
        "internal: lost the sandbox: unexpected Profiled from the runner"
    );
}

#[tokio::test]
async fn wrong_answer_to_a_run_ends_the_run() {
    assert_eq!(
        answered_wrongly(|response| matches!(response, Response::Batch(_))).await,
        "internal: lost the sandbox: unexpected Profiled from the runner"
    );
}

#[tokio::test]
async fn wrong_answer_to_a_probe_ends_the_run() {
    assert_eq!(
        answered_wrongly(|response| matches!(response, Response::Probed(_))).await,
        "internal: lost the sandbox: unexpected Profiled from the runner"
    );
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
        "internal: not supported on this host: the sandbox lacks /usr/bin/time: install g++, binutils and time; \
         on Debian: apt-get install g++ binutils time"
    );
}

#[tokio::test]
async fn sandbox_that_cannot_be_started_ends_the_run() {
    let fake = linear();
    fake.available().store(false, Ordering::SeqCst);
    assert_snapshot!(summary(&profile(over(&[1]), fake).await));
}

/// A program that never ends from size 1000 on.
fn endless() -> Fake {
    Fake::new(|n| (n < 1_000).then(|| well(n)))
}

/// An endless program, cancelled after its first size.
async fn stopped_by(code: ErrorCode) -> Told {
    profile_stopping(over(&[1, 1_000]), endless(), |kind| {
        matches!(kind, Kind::SizeMeasured(_)).then_some(code)
    })
    .await
}

#[tokio::test]
async fn cancelled_run_keeps_what_it_measured() {
    assert_snapshot!(summary(&stopped_by(ErrorCode::Cancelled).await));
}

#[tokio::test]
async fn run_cancelled_before_its_default_input_was_checked_has_no_class() {
    let told = stopped_by(ErrorCode::Cancelled).await;
    let reason = &told.time_growth().undecided_reason;
    assert_eq!(reason, "the run ended before its input was checked");
}

#[tokio::test]
async fn cancelled_run_leaves_no_sandbox() {
    assert_eq!(stopped_by(ErrorCode::Cancelled).await.alive, 0);
}

#[tokio::test]
async fn deadline_ends_the_run() {
    assert_eq!(stopped_by(ErrorCode::Deadline).await.error(), "deadline: the run was ended early");
}

#[tokio::test]
async fn shutdown_ends_the_run() {
    assert_eq!(
        stopped_by(ErrorCode::Interrupted).await.error(),
        "interrupted: the run was ended early"
    );
}

#[tokio::test]
async fn first_reason_to_stop_counts() {
    let (stopper, mut signal) = cancel_signal();
    stopper.cancel(ErrorCode::Deadline);
    stopper.cancel(ErrorCode::Cancelled);
    assert_eq!(signal.cancelled().await, ErrorCode::Deadline);
}

/// Dropping the last canceller does not end the run.
#[tokio::test]
async fn run_whose_stopper_is_gone_goes_on() {
    let job = Job::try_from(over(&[1])).expect("a valid draft");
    let profiler = Profiler::new(Pool::new(Arc::new(linear()), 0), None);
    let (mut events, _told) = Events::new("run");
    let (_, mut signal) = cancel_signal();
    assert!(run_job(&job, &profiler, &mut events, &mut signal, Turn::now()).await.is_ok());
}

#[tokio::test]
async fn run_that_nobody_watches_goes_on() {
    let job = Job::try_from(over(&[1])).expect("a valid draft");
    let profiler = Profiler::new(Pool::new(Arc::new(linear()), 0), None);
    let (mut events, _) = Events::new("run");
    let (_stopper, mut signal) = cancel_signal();
    assert!(run_job(&job, &profiler, &mut events, &mut signal, Turn::now()).await.is_ok());
}

#[tokio::test]
async fn run_stopped_before_it_begins_measures_nothing() {
    let job = Job::try_from(over(&[1])).expect("a valid draft");
    let profiler = Profiler::new(Pool::new(Arc::new(linear()), 0), None);
    let (mut events, _told) = Events::new("run");
    let (stopper, mut signal) = cancel_signal();
    stopper.cancel(ErrorCode::Cancelled);
    let error = run_job(&job, &profiler, &mut events, &mut signal, Turn::now()).await;
    assert_eq!(error.map_err(|error| error.code()), Err(ErrorCode::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn runner_that_never_answers_ends_the_run() {
    let told = profile(over(&[1_000]), endless()).await;
    assert_eq!(
        told.error().split_inclusive("within").next(),
        Some("internal: the runner did not answer within")
    );
}

#[tokio::test]
async fn finished_run_leaves_no_sandbox() {
    assert_eq!(profile(over(&[1]), linear()).await.alive, 0);
}

#[tokio::test]
async fn report_is_the_last_event() {
    let told = profile(over(&[1]), linear()).await;
    let last = told.said().last().cloned();
    assert_eq!(last, told.ended.ok().map(Kind::Finished));
}

#[tokio::test]
async fn error_is_the_last_event() {
    let told = stopped_by(ErrorCode::Cancelled).await;
    let last = told.said().last().cloned();
    assert_eq!(last, told.ended.err().map(|error| Kind::Failed(*error)));
}

#[tokio::test]
async fn last_event_alone_is_last() {
    let told = profile(over(&[1, 2]), linear()).await;
    let last: Vec<_> = told.said().map(Kind::is_last).collect();
    assert_eq!(last, [false, false, false, true]);
}
