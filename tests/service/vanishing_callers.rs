//! Callers that disconnect at every stage, that have no time, and that are many. They leave nothing
//! behind, and later callers are served.

use crate::{endless_from, stream, stub, unary};
use profiler_client::v1::Job;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, ErrorCode, Event};
use profiler_server::Config;
use profiler_tests::jobs::plain;
use profiler_tests::server::Server;
use std::time::Duration;
use tokio::task::JoinSet;
use tonic::{Code, Streaming};

/// The program ends below this size and never at it.
const ENDLESS: u64 = 10;
/// More callers than the queue accepts.
const MANY: usize = 200;

fn endless() -> Job {
    Job { input_sizes: vec![1, ENDLESS], ..plain() }
}

/// A job that ends.
async fn is_served(server: &Server) {
    let job = Job { input_sizes: vec![1], ..plain() };
    let run = server.client().await.submit(job).await.unwrap();
    assert_eq!(run.wait().await.unwrap().input_sizes, [1]);
    server.until_alive(0).await;
}

/// Submits and reads until `is_there`.
async fn until(
    server: &Server,
    is_there: impl Fn(&Kind) -> bool,
) -> (Event, Streaming<v1::ProfileStreamResponse>) {
    let answer = stub(server).await.profile_stream(stream(endless())).await;
    let mut events = answer.unwrap().into_inner();
    loop {
        let event = events.message().await.unwrap().and_then(|answer| answer.event).unwrap();
        if event.kind.as_ref().is_some_and(&is_there) {
            return (event, events);
        }
    }
}

const STAGES: [fn(&Kind) -> bool; 3] = [
    |kind| matches!(kind, Kind::Accepted(_)),
    |kind| matches!(kind, Kind::Compiled(_)),
    |kind| matches!(kind, Kind::SizeMeasured(_)),
];

#[tokio::test]
async fn caller_that_vanishes_at_any_stage_leaves_nothing() {
    let server = Server::over_tcp(endless_from(ENDLESS)).await;
    for stage in STAGES {
        drop(until(&server, stage).await);
        server.until_alive(0).await;
        is_served(&server).await;
    }
}

#[tokio::test]
async fn cancellation_at_any_stage_returns_the_measured_sizes() {
    let server = Server::over_tcp(endless_from(ENDLESS)).await;
    for stage in STAGES {
        let (event, mut events) = until(&server, stage).await;
        let request = v1::CancelRunRequest { run_id: event.run_id };
        stub(&server).await.cancel_run(request).await.unwrap();
        let mut last = None;
        while let Some(answer) = events.message().await.unwrap() {
            last = answer.event.and_then(|event| event.kind);
        }
        let Some(Kind::Failed(error)) = last else { panic!("{last:?}") };
        assert_eq!(error.code(), ErrorCode::Cancelled);
        is_served(&server).await;
    }
}

#[tokio::test]
async fn deadline_of_a_millisecond_ends_the_call() {
    let server = Server::over_tcp(endless_from(0)).await;
    let mut stub = stub(&server).await;
    let mut request = unary(plain());
    request.set_timeout(Duration::from_millis(1));
    let ended = stub.profile(request).await.unwrap_err().code();
    // tonic's client has its own timer, whose status is CANCELLED.
    assert!([Code::DeadlineExceeded, Code::Cancelled].contains(&ended), "{ended:?}");
    server.until_alive(0).await;
}

#[tokio::test]
async fn many_callers_that_vanish_at_once_leave_room() {
    let config = Config { max_queued: MANY / 2, ..Config::default() };
    let server = Server::with(endless_from(ENDLESS), 0, config).await;
    let mut callers = JoinSet::new();
    for _ in 0..MANY {
        let mut stub = stub(&server).await;
        callers.spawn(async move { drop(stub.profile_stream(stream(endless())).await) });
    }
    callers.join_all().await;
    // A sandbox that was started for one of them may wait for this job.
    is_served(&server).await;
}
