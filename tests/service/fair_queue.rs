//! The fair queue: callers take turns, and a waiting run learns its position.

use crate::{endless_from, small_queue, stream, stub, unary};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, Event, Job};
use profiler_server::caller;
use profiler_test_support::wait::until;
use profiler_tests::jobs::plain;
use profiler_tests::server::{PATIENCE, Server};
use tonic::{Code, Request, Streaming};
use tonic_types::StatusExt;

pub(crate) type Events = Streaming<v1::ProfileStreamResponse>;

/// Submits as the caller `name`.
pub(crate) async fn submit(server: &Server, name: &'static str, job: Job) -> Events {
    let mut request: Request<_> = stream(job);
    request.metadata_mut().insert(caller::HEADER, name.parse().unwrap());
    stub(server).await.profile_stream(request).await.unwrap().into_inner()
}

pub(crate) async fn next(events: &mut Events) -> Event {
    events.message().await.unwrap().and_then(|answer| answer.event).expect("an event")
}

/// The queue position in the `accepted` event.
async fn position(events: &mut Events) -> u32 {
    let Some(Kind::Accepted(accepted)) = next(events).await.kind else { panic!("not accepted") };
    accepted.queue_position
}

#[tokio::test]
async fn callers_take_turns() {
    let server = Server::over_tcp(endless_from(0)).await;
    let mut many = Vec::new();
    for expected in 0..4 {
        many.push(submit(&server, "many", plain()).await);
        assert_eq!(position(many.last_mut().unwrap()).await, expected);
    }
    let mut few = submit(&server, "few", plain()).await;
    assert_eq!(position(&mut few).await, 1, "after the running run");
}

#[tokio::test]
async fn waiting_run_learns_its_new_position() {
    let server = Server::over_tcp(endless_from(0)).await;
    let mut first = submit(&server, "a", plain()).await;
    let mut second = submit(&server, "a", plain()).await;
    let mut third = submit(&server, "a", plain()).await;
    assert_eq!(
        [position(&mut first).await, position(&mut second).await, position(&mut third).await],
        [0, 1, 2]
    );
    drop(second);
    let heartbeat = next(&mut third).await;
    assert_eq!(heartbeat.kind, Some(Kind::Heartbeat(v1::Heartbeat { queue_position: 1 })));
    assert_eq!(heartbeat.sequence, 1, "a heartbeat repeats the number of the event before it");
}

#[tokio::test]
async fn full_queue_says_when_to_try_again() {
    let server = Server::with(endless_from(0), 0, small_queue()).await;
    let client = server.client().await;
    let _running = client.submit(plain()).await.unwrap();
    let _waiting = client.submit(plain()).await.unwrap();
    let status = stub(&server).await.profile(unary(plain())).await.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted);
    let retry = status.get_details_retry_info().and_then(|info| info.retry_delay);
    assert!(retry.is_some_and(|delay| !delay.is_zero()), "{retry:?}");
}

#[tokio::test]
async fn run_that_leaves_the_queue_makes_room() {
    let server = Server::with(endless_from(0), 0, small_queue()).await;
    let client = server.client().await;
    let running = client.submit(plain()).await.unwrap();
    let waiting = client.submit(plain()).await.unwrap();
    running.cancel().await.unwrap();
    assert!(running.wait().await.is_err());
    let waiting_too = until("there is room", PATIENCE, async || client.submit(plain()).await.ok());
    let ids = [waiting.id().to_owned(), waiting_too.await.id().to_owned()];
    assert_ne!(ids[0], ids[1]);
}
