//! What becomes of a run whose caller goes away, whose turn it is, and what those who wait are
//! told.

use crate::{ending_program, endless_from, stream, stub};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, Event, Job, OnDisconnect, RunState};
use profiler_server::caller;
use profiler_test_support::wait::until;
use profiler_tests::jobs::plain;
use profiler_tests::server::{PATIENCE, Server};
use tonic::{Request, Streaming};

fn job(on_disconnect: OnDisconnect) -> Job {
    Job { input_sizes: vec![1, 10], on_disconnect: on_disconnect.into(), ..plain() }
}

type Events = Streaming<v1::ProfileStreamResponse>;

/// Submits as a caller of this name.
async fn submit(server: &Server, name: &'static str, job: Job) -> Events {
    let mut request: Request<_> = stream(job);
    request.metadata_mut().insert(caller::HEADER, name.parse().unwrap());
    stub(server).await.profile_stream(request).await.unwrap().into_inner()
}

async fn next(events: &mut Events) -> Event {
    events.message().await.unwrap().and_then(|answer| answer.event).expect("an event")
}

/// How many are in front when a run is accepted.
async fn place(events: &mut Events) -> u32 {
    let Some(Kind::Accepted(accepted)) = next(events).await.kind else { panic!("not accepted") };
    accepted.queue_position
}

/// Waits until a run has ended, and says how.
async fn ended(server: &Server, run_id: &str) -> v1::Run {
    let look = async || {
        let request = v1::GetRunRequest { run_id: run_id.into() };
        let run = stub(server).await.get_run(request).await.unwrap().into_inner().run.unwrap();
        run.ended_time.is_some().then_some(run)
    };
    until("the run has ended", PATIENCE, look).await
}

#[tokio::test]
async fn a_detached_run_goes_on_without_its_caller() {
    let server = Server::over_tcp(ending_program()).await;
    let mut events = submit(&server, "a", job(OnDisconnect::Detach)).await;
    let run_id = next(&mut events).await.run_id;
    drop(events);
    assert_eq!(ended(&server, &run_id).await.state(), RunState::Finished);
}

#[tokio::test]
async fn a_run_in_its_grace_is_taken_up_again() {
    let server = Server::over_tcp(endless_from(10)).await;
    let mut events = submit(&server, "a", job(OnDisconnect::Grace)).await;
    let accepted = next(&mut events).await;
    server.until_alive(1).await;
    drop(events);
    let request =
        v1::WatchRunRequest { run_id: accepted.run_id.clone(), after_sequence: accepted.sequence };
    let mut again = stub(&server).await.watch_run(request).await.unwrap().into_inner();
    let event = again.message().await.unwrap().and_then(|answer| answer.event).unwrap();
    assert_eq!(event.sequence, accepted.sequence + 1);
    assert_eq!(server.alive(), 1, "it is still the same sandbox");
}

#[tokio::test]
async fn a_cancelled_run_does_not_live_by_its_watchers() {
    let server = Server::over_tcp(endless_from(0)).await;
    let mut events = submit(&server, "a", job(OnDisconnect::Cancel)).await;
    let run_id = next(&mut events).await.run_id;
    let request = v1::WatchRunRequest { run_id: run_id.clone(), after_sequence: 0 };
    let _watching = stub(&server).await.watch_run(request).await.unwrap();
    drop(events);
    assert_eq!(ended(&server, &run_id).await.error_code, "cancelled");
}

#[tokio::test]
async fn callers_take_turns() {
    let server = Server::over_tcp(endless_from(0)).await;
    let mut many = Vec::new();
    for expected in 0..4 {
        many.push(submit(&server, "many", plain()).await);
        assert_eq!(place(many.last_mut().unwrap()).await, expected);
    }
    let mut few = submit(&server, "few", plain()).await;
    assert_eq!(place(&mut few).await, 2, "behind the one that runs and the one that came before");
}

#[tokio::test]
async fn who_waits_is_told_its_place_when_that_changes() {
    let server = Server::over_tcp(endless_from(0)).await;
    let mut first = submit(&server, "a", plain()).await;
    let mut second = submit(&server, "a", plain()).await;
    let mut third = submit(&server, "a", plain()).await;
    assert_eq!(
        [place(&mut first).await, place(&mut second).await, place(&mut third).await],
        [0, 1, 2]
    );
    drop(second);
    let told = next(&mut third).await;
    assert_eq!(told.kind, Some(Kind::Heartbeat(v1::Heartbeat { queue_position: 1 })));
    assert_eq!(told.sequence, 1, "a heartbeat repeats the number of the event before it");
}
