//! Effect of a caller's disconnect on its run.

use crate::fair_queue::{next, submit};
use crate::{ending_program, endless_from, stub};
use profiler_proto::v1::{self, ErrorCode, Job, OnDisconnect, RunState};
use profiler_test_support::wait::until;
use profiler_tests::jobs::{SANDBOXES, plain};
use profiler_tests::server::{PATIENCE, Server};

fn job(on_disconnect: OnDisconnect) -> Job {
    Job { input_sizes: vec![1, 10], on_disconnect: on_disconnect.into(), ..plain() }
}

/// Waits until a run has ended.
async fn ended(server: &Server, run_id: &str) -> v1::Run {
    let look = async || {
        let request = v1::GetRunRequest { run_id: run_id.into() };
        let run = stub(server).await.get_run(request).await.unwrap().into_inner().run.unwrap();
        run.ended_time.is_some().then_some(run)
    };
    until("the run has ended", PATIENCE, look).await
}

#[tokio::test]
async fn detached_run_goes_on_without_its_caller() {
    let server = Server::over_tcp(ending_program()).await;
    let mut events = submit(&server, "a", job(OnDisconnect::Detach)).await;
    let run_id = next(&mut events).await.run_id;
    drop(events);
    assert_eq!(ended(&server, &run_id).await.state(), RunState::Finished);
}

#[tokio::test]
async fn run_in_its_grace_is_taken_up_again() {
    let server = Server::over_tcp(endless_from(10)).await;
    let mut events = submit(&server, "a", job(OnDisconnect::Grace)).await;
    let accepted = next(&mut events).await;
    server.until_alive(SANDBOXES).await;
    drop(events);
    let request =
        v1::WatchRunRequest { run_id: accepted.run_id.clone(), after_sequence: accepted.sequence };
    let mut again = stub(&server).await.watch_run(request).await.unwrap().into_inner();
    let event = again.message().await.unwrap().and_then(|answer| answer.event).unwrap();
    assert_eq!(event.sequence, accepted.sequence + 1);
    assert_eq!(server.alive(), SANDBOXES, "they are still the same sandboxes");
}

#[tokio::test]
async fn cancelled_run_does_not_live_by_its_watchers() {
    let server = Server::over_tcp(endless_from(0)).await;
    let mut events = submit(&server, "a", job(OnDisconnect::Cancel)).await;
    let run_id = next(&mut events).await.run_id;
    let request = v1::WatchRunRequest { run_id: run_id.clone(), after_sequence: 0 };
    let _watching = stub(&server).await.watch_run(request).await.unwrap();
    drop(events);
    assert_eq!(ended(&server, &run_id).await.error_code(), ErrorCode::Cancelled);
}
