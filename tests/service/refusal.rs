//! What is refused before a run is accepted.

use crate::{endless_from, stub, unary};
use profiler_client::v1::Job;
use profiler_proto::v1::CodeMessage;
use profiler_server::Config;
use profiler_server::status::DOMAIN;
use profiler_server::wire::MAX_REQUEST_ID_BYTES;
use profiler_tests::jobs::plain;
use profiler_tests::server::Server;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// One run, one that waits, and no time for either when the server ends.
pub(crate) fn impatient() -> Config {
    Config { max_queued: 1, drain_sec: 0.0, ..Config::default() }
}

async fn refusal(job: Job) -> Status {
    let server = Server::over_tcp(endless_from(0)).await;
    stub(&server).await.profile(unary(job)).await.unwrap_err()
}

/// Something is wrong with all of it.
fn all_bad() -> Job {
    Job {
        code: Some(CodeMessage {
            r#type: "poem".into(),
            task_id: "  ".into(),
            schema_version: "2.0.0".into(),
            compiler_flags: vec!["-O2".into(), "-o/etc/passwd".into()],
            ..CodeMessage::default()
        }),
        input_sizes: vec![5, 5],
        request_id: "x".repeat(MAX_REQUEST_ID_BYTES + 1),
        growth: 1,
        on_disconnect: 77,
        runtime_clock: 77,
        ..Job::default()
    }
}

#[tokio::test]
async fn every_bad_field_is_named_at_once() {
    let status = refusal(all_bad()).await;
    assert_eq!(status.code(), Code::InvalidArgument);
    let bad = status.get_details_bad_request().expect("a BadRequest");
    let mut fields: Vec<_> = bad.field_violations.into_iter().map(|bad| bad.field).collect();
    fields.sort();
    let expected = [
        "code.code_cpp",
        "code.compiler_flags[1]",
        "code.schema_version",
        "code.task_id",
        "code.type",
        "growth",
        "input_sizes[1]",
        "on_disconnect",
        "request_id",
        "runtime_clock",
    ];
    assert_eq!(fields, expected);
}

#[tokio::test]
async fn a_refusal_has_a_reason_for_programs() {
    let info = refusal(all_bad()).await.get_details_error_info();
    let info = info.expect("an ErrorInfo");
    assert_eq!((info.reason.as_str(), info.domain.as_str()), ("INVALID_REQUEST", DOMAIN));
}

#[tokio::test]
async fn a_request_without_a_job_is_refused() {
    let server = Server::over_tcp(endless_from(0)).await;
    let request = profiler_proto::v1::ProfileRequest { job: None };
    let status = stub(&server).await.profile(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}

#[tokio::test]
async fn a_full_queue_says_when_to_try_again() {
    let server = Server::with(endless_from(0), 0, impatient()).await;
    let client = server.client().await;
    let _running = client.submit(plain()).await.unwrap();
    let _waiting = client.submit(plain()).await.unwrap();
    let status = stub(&server).await.profile(unary(plain())).await.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted);
    let retry = status.get_details_retry_info().and_then(|info| info.retry_delay);
    assert!(retry.is_some_and(|delay| !delay.is_zero()), "{retry:?}");
}

#[tokio::test]
async fn who_leaves_the_queue_makes_room() {
    let server = Server::with(endless_from(0), 0, impatient()).await;
    let client = server.client().await;
    let running = client.submit(plain()).await.unwrap();
    let waiting = client.submit(plain()).await.unwrap();
    running.cancel().await.unwrap();
    assert!(running.wait().await.is_err());
    let waiting_too = profiler_tests::wait::until(
        "there is room",
        profiler_tests::server::PATIENCE,
        async || client.submit(plain()).await.ok(),
    );
    let ids = [waiting.id().to_owned(), waiting_too.await.id().to_owned()];
    assert_ne!(ids[0], ids[1]);
}
