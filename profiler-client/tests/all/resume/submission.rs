//! Repeated submissions: what is submitted again, and when; it must stay the same run.

use crate::resume::scene::{Scene, accepted};
use profiler_client::v1::{Job, OnDisconnect};
use profiler_client::{Client, Error};
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The delay that the server asks for.
const RETRY: Duration = Duration::from_secs(7);
/// The most that the backoff adds to that delay before the second attempt.
const BACKOFF: Duration = Duration::from_millis(200);
/// Time for which the client submits.
const SUBMIT_TIMEOUT: Duration = Duration::from_secs(60);

fn refusal(code: Code, retry: Option<Duration>) -> Status {
    let mut details = ErrorDetails::new();
    details.set_retry_info(retry);
    Status::with_error_details(code, "no", details)
}

#[tokio::test(start_paused = true)]
async fn job_gets_what_makes_it_one_run() {
    let mut scene = Scene::new().await;
    scene.client = scene.client.with_caller("coder").unwrap();
    let _submitted = scene.submit(Job::default());
    let submission = scene.submission().await;
    let id = uuid::Uuid::parse_str(&submission.job.request_id).unwrap();
    assert_eq!(id.get_version_num(), 7);
    assert_eq!(submission.job.on_disconnect(), OnDisconnect::Grace);
    assert_eq!(submission.caller.as_deref(), Some("coder"));
}

#[tokio::test(start_paused = true)]
async fn own_settings_of_a_job_are_kept() {
    let mut scene = Scene::new().await;
    let on_disconnect = OnDisconnect::Cancel.into();
    let job = Job { request_id: "mine".into(), on_disconnect, ..Job::default() };
    let _submitted = scene.submit(job.clone());
    assert_eq!(scene.submission().await.job, job);
}

#[tokio::test(start_paused = true)]
async fn name_that_cannot_be_sent_is_refused() {
    let scene = Scene::new().await;
    let refused = Client::with_caller(scene.client.clone(), "über").unwrap_err();
    assert!(matches!(&refused, Error::Caller(name) if name == "über"), "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn full_queue_is_asked_again_when_it_says_so() {
    for code in [Code::ResourceExhausted, Code::Unavailable] {
        let mut scene = Scene::new().await;
        let submitted = scene.submit(Job::default());
        let first = scene.submission().await;
        first.answer.refuse(refusal(code, Some(RETRY)));
        let second = scene.submission().await;
        let waited = scene.elapsed();
        assert!((RETRY..RETRY + BACKOFF + BACKOFF).contains(&waited), "{code}: {waited:?}");
        assert_eq!(second.job.request_id, first.job.request_id);
        let _events = second.answer.stream(vec![accepted()]).await;
        submitted.await.unwrap().unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn lasting_refusal_is_not_tried_again() {
    let mut scene = Scene::new().await;
    let refusals = [
        refusal(Code::InvalidArgument, None),
        refusal(Code::AlreadyExists, None),
        refusal(Code::DeadlineExceeded, None),
        refusal(Code::PermissionDenied, None),
        refusal(Code::Internal, None),
        refusal(Code::Unknown, None),
        refusal(Code::ResourceExhausted, None),
    ];
    for status in refusals {
        let code = status.code();
        let submitted = scene.submit(Job::default());
        scene.submission().await.answer.refuse(status);
        // If it waited, it would never end, because nobody advances the clock.
        assert!(submitted.await.unwrap().is_err(), "{code}");
        assert_eq!(scene.elapsed(), Duration::ZERO, "{code}");
    }
}

#[tokio::test(start_paused = true)]
async fn reason_of_every_refusal_reaches_the_caller() {
    let mut scene = Scene::new().await;
    let refusals = [
        Code::InvalidArgument,
        Code::Unauthenticated,
        Code::PermissionDenied,
        Code::ResourceExhausted,
        Code::AlreadyExists,
    ];
    for code in refusals {
        let facts = [("scope".to_owned(), "run".to_owned())];
        let details = ErrorDetails::with_error_info("REASON", "domain", facts);
        let submitted = scene.submit(Job::default());
        let status = Status::with_error_details(code, "no", details);
        scene.submission().await.answer.refuse(status);
        let refused = submitted.await.unwrap().unwrap_err();
        let info = refused.info().unwrap();
        assert_eq!((info.reason.as_str(), info.domain.as_str()), ("REASON", "domain"), "{code}");
        assert_eq!(info.metadata["scope"], "run", "{code}");
    }
}

#[tokio::test(start_paused = true)]
async fn connection_lost_before_the_first_event_is_the_same_run() {
    let mut scene = Scene::new().await;
    let submitted = scene.submit(Job::default());
    let first = scene.submission().await;
    scene.line.cut().await;
    scene.line.mend().await;
    let second = scene.submission().await;
    assert_eq!(second.job, first.job);
    let _events = second.answer.stream(vec![accepted()]).await;
    submitted.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn stream_that_ends_before_the_first_event_is_the_same_run() {
    let mut scene = Scene::new().await;
    let submitted = scene.submit(Job::default());
    let first = scene.submission().await;
    drop(first.answer.stream(vec![]).await);
    let second = scene.submission().await;
    assert_eq!(second.job.request_id, first.job.request_id);
    let _events = second.answer.stream(vec![accepted()]).await;
    submitted.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn server_that_starts_again_is_waited_for() {
    let mut scene = Scene::new().await;
    scene.line.cut().await;
    let submitted = scene.submit(Job::default());
    for _ in 0..3 {
        let after = scene.notice().await;
        tokio::time::advance(after * 2).await;
    }
    scene.line.mend().await;
    let _events = scene.submission().await.answer.stream(vec![accepted()]).await;
    submitted.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn submitting_comes_to_an_end() {
    let mut scene = Scene::new().await;
    let submitted = scene.submit(Job::default());
    let mut refused = 0;
    while SUBMIT_TIMEOUT.saturating_sub(scene.elapsed()) > RETRY * 2 {
        scene.submission().await.answer.refuse(refusal(Code::Unavailable, Some(RETRY)));
        refused += 1;
        let after = scene.notice().await;
        tokio::time::advance(after * 101 / 100).await;
    }
    // At most one more attempt follows.
    scene.submission().await.answer.refuse(refusal(Code::Unavailable, Some(SUBMIT_TIMEOUT)));
    let given_up = submitted.await.unwrap().unwrap_err();
    assert!(matches!(given_up, Error::Unavailable { retry_after: Some(_), .. }), "{given_up:?}");
    assert!(refused > 2, "{refused}");
}

/// Submits until a time far beyond [`SUBMIT_TIMEOUT`], to a server that refuses with `code`.
async fn is_submitted_for_long(mut scene: Scene, code: Code) {
    let submitted = scene.submit(Job::default());
    while scene.elapsed() < SUBMIT_TIMEOUT * 3 {
        scene.submission().await.answer.refuse(refusal(code, Some(RETRY)));
        let after = scene.notice().await;
        tokio::time::advance(after * 101 / 100).await;
    }
    let _events = scene.submission().await.answer.stream(vec![accepted()]).await;
    submitted.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn full_queue_is_waited_for_without_a_timeout() {
    is_submitted_for_long(Scene::new().await, Code::ResourceExhausted).await;
}

#[tokio::test(start_paused = true)]
async fn server_that_accepts_nothing_is_tried_for_as_long_as_the_timeout() {
    for code in [Code::ResourceExhausted, Code::Unavailable] {
        let mut scene = Scene::new().await;
        scene.client = scene.client.with_run_timeout(SUBMIT_TIMEOUT * 4);
        is_submitted_for_long(scene, code).await;
    }
}

#[tokio::test(start_paused = true)]
async fn wait_beyond_the_runs_timeout_is_not_begun() {
    let mut scene = Scene::new().await;
    scene.client = scene.client.with_run_timeout(RETRY);
    let submitted = scene.submit(Job::default());
    scene.submission().await.answer.refuse(refusal(Code::ResourceExhausted, Some(RETRY)));
    let refused = submitted.await.unwrap().unwrap_err();
    assert!(matches!(refused, Error::Unavailable { retry_after: Some(RETRY), .. }), "{refused:?}");
    assert_eq!(scene.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn server_that_never_answers_meets_the_runs_timeout() {
    let mut scene = Scene::new().await;
    scene.client = scene.client.with_run_timeout(RETRY);
    let submitted = scene.submit(Job::default());
    let _unanswered = scene.submission().await;
    tokio::time::advance(RETRY).await;
    let ended = submitted.await.unwrap();
    assert!(matches!(ended, Err(Error::Deadline)), "{ended:?}");
}
