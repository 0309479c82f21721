//! A program that never ends is ended by a cancellation, a deadline, a disconnect or a shutdown.

use crate::{endless_from, stream, stub, unary};
use profiler_client::v1::{ErrorCode, Job};
use profiler_client::{Error, Run};
use profiler_proto::v1::event::Kind;
use profiler_tests::jobs::{SANDBOXES, plain};
use profiler_tests::server::Server;
use std::time::Duration;
use tonic::{Code, Request};

/// The caller's deadline. It is long enough for the program to start.
const DEADLINE: Duration = Duration::from_millis(400);
/// The largest size at which the program ends.
const FINISHED: u64 = 1;

/// The program ends at size 1 and never at size 2.
async fn server() -> Server {
    Server::over_tcp(endless_from(FINISHED + 1)).await
}

fn job() -> Job {
    Job { input_sizes: vec![FINISHED, FINISHED + 1], ..plain() }
}

/// A run whose program is in its endless size.
async fn endless(server: &Server) -> Run {
    let mut run = server.client().await.submit(job()).await.unwrap();
    while let Some(event) = run.next().await.unwrap() {
        if let Kind::SizeMeasured(_) = event.kind {
            return run;
        }
    }
    panic!("the program ended");
}

fn within<T>(request: Request<T>, deadline: Duration) -> Request<T> {
    let mut request = request;
    request.set_timeout(deadline);
    request
}

#[tokio::test]
async fn cancelled_run_fails_as_data_with_what_it_had() {
    let server = server().await;
    let mut run = endless(&server).await;
    run.cancel().await.unwrap();
    let Some(Kind::Failed(error)) = run.next().await.unwrap().map(|event| event.kind) else {
        panic!("no ending")
    };
    assert_eq!(error.code(), ErrorCode::Cancelled);
    assert_eq!(error.partial.map(|partial| partial.input_sizes), Some(vec![FINISHED]));
    // `Ok(None)` is the end of a stream whose status is OK.
    assert_eq!(run.next().await.unwrap(), None);
    server.until_alive(0).await;
}

#[tokio::test]
async fn anybody_can_cancel_a_run_by_its_id() {
    let server = server().await;
    let run = endless(&server).await;
    server.client().await.cancel(run.id()).await.unwrap();
    let Err(Error::Sandbox(error)) = run.wait().await else { panic!("it went on") };
    assert_eq!(error.code(), ErrorCode::Cancelled);
}

#[tokio::test]
async fn run_is_cancelled_once() {
    let server = server().await;
    let run = endless(&server).await;
    let id = run.id().to_owned();
    run.cancel().await.unwrap();
    assert!(run.wait().await.is_err());
    server.until_alive(0).await;
    let again = server.client().await.cancel(&id).await;
    let Err(Error::Status(status)) = again else { panic!("{again:?}") };
    assert_eq!(status.code(), Code::NotFound);
}

/// The service ends the call with `DEADLINE_EXCEEDED`; its unit tests check that without a real
/// clock. tonic's client has a timer for the same moment. If that timer fires first, the status is
/// `CANCELLED`.
#[tokio::test]
async fn call_ends_with_its_deadline() {
    let server = server().await;
    let request = within(unary(job()), DEADLINE);
    let status = stub(&server).await.profile(request).await.unwrap_err();
    let codes = [Code::DeadlineExceeded, Code::Cancelled];
    assert!(codes.contains(&status.code()), "{status}");
    server.until_alive(0).await;
}

#[tokio::test]
async fn stream_ends_with_its_deadline() {
    let server = server().await;
    let mut stub = stub(&server).await;
    let mut events = loop {
        match stub.profile_stream(within(stream(job()), DEADLINE)).await {
            Ok(events) => break events.into_inner(),
            // tonic's timer covers the opening, and ends it if the machine stalls.
            Err(status) => assert_eq!(status.code(), Code::Cancelled, "{status}"),
        }
    };
    let status = loop {
        match events.message().await {
            Ok(event) => assert!(event.is_some(), "the stream ended without a status"),
            Err(status) => break status,
        }
    };
    assert_eq!(status.code(), Code::DeadlineExceeded, "{status}");
    server.until_alive(0).await;
}

#[tokio::test]
async fn stream_that_is_dropped_ends_its_run() {
    let server = server().await;
    let run = endless(&server).await;
    server.until_alive(SANDBOXES).await;
    drop(run);
    server.until_alive(0).await;
}

#[tokio::test]
async fn call_that_is_dropped_ends_its_run() {
    let server = server().await;
    let mut stub = stub(&server).await;
    let call = tokio::spawn(async move { stub.profile(unary(job())).await.map(drop) });
    server.until_alive(SANDBOXES).await;
    call.abort();
    server.until_alive(0).await;
}

#[tokio::test]
async fn run_under_way_ends_with_the_server() {
    let server = Server::with(endless_from(FINISHED + 1), 0, crate::small_queue()).await;
    let mut run = endless(&server).await;
    let stopping = tokio::spawn(server.stop());
    let Some(Kind::Failed(error)) = run.next().await.unwrap().map(|event| event.kind) else {
        panic!("no ending")
    };
    assert_eq!(error.code(), ErrorCode::Interrupted);
    let refused = run.next().await.unwrap_err();
    assert!(matches!(refused, Error::Unavailable { retry_after: Some(_), .. }), "{refused:?}");
    stopping.await.unwrap().unwrap();
}
