//! Retained runs: read, listed, watched again, and found by their request ID, also after a restart.

use crate::{ending_program, endless_from, stream, stub, unary};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::get_run_response::Ending;
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_proto::v1::{self, ErrorCode, Job, RunState};
use profiler_server::Config;
use profiler_tests::jobs::{SANDBOXES, plain};
use profiler_tests::server::Server;
use std::path::Path;
use std::time::SystemTime;
use tonic::transport::Channel;
use tonic::{Code, Streaming};
use tonic_types::StatusExt;

type Stub = ProfilerServiceClient<Channel>;

fn job(request_id: &str) -> Job {
    Job { input_sizes: vec![1, 10, 100], request_id: request_id.into(), ..plain() }
}

/// A server that keeps its runs in a folder.
async fn keeping(folder: &Path) -> Server {
    let config = Config { state_dir: Some(folder.into()), ..Config::default() };
    Server::with(ending_program(), 0, config).await
}

/// The events of a submission, to the last.
async fn submitted(stub: &mut Stub, job: Job) -> Vec<v1::Event> {
    let mut events = stub.profile_stream(stream(job)).await.unwrap().into_inner();
    let mut seen = Vec::new();
    while let Some(answer) = events.message().await.unwrap() {
        seen.push(answer.event.expect("an event"));
    }
    seen
}

/// The events of a run after one of them.
async fn watched(stub: &mut Stub, run_id: &str, after_sequence: u64) -> Vec<v1::Event> {
    let request = v1::WatchRunRequest { run_id: run_id.into(), after_sequence };
    let mut events = stub.watch_run(request).await.unwrap().into_inner();
    let mut seen = Vec::new();
    while let Some(answer) = events.message().await.unwrap() {
        seen.push(answer.event.expect("an event"));
    }
    seen
}

async fn looked_at(stub: &mut Stub, run_id: &str) -> v1::GetRunResponse {
    let request = v1::GetRunRequest { run_id: run_id.into() };
    stub.get_run(request).await.unwrap().into_inner()
}

async fn first(events: &mut Streaming<v1::ProfileStreamResponse>) -> v1::Event {
    events.message().await.unwrap().and_then(|answer| answer.event).expect("an event")
}

#[tokio::test]
async fn run_is_watched_again_from_any_event() {
    let server = Server::over_tcp(ending_program()).await;
    let mut stub = stub(&server).await;
    let events = submitted(&mut stub, job("")).await;
    let run_id = events[0].run_id.clone();
    for after in 0..=events.len() {
        let again = watched(&mut stub, &run_id, after as u64).await;
        assert_eq!(again, events[after..], "after {after}");
    }
}

#[tokio::test]
async fn watch_after_the_last_event_is_empty() {
    let server = Server::over_tcp(ending_program()).await;
    let mut stub = stub(&server).await;
    let events = submitted(&mut stub, job("")).await;
    assert_eq!(watched(&mut stub, &events[0].run_id, u64::MAX).await, []);
}

#[tokio::test]
async fn finished_run_is_looked_at() {
    let server = Server::over_tcp(ending_program()).await;
    let mut stub = stub(&server).await;
    let events = submitted(&mut stub, job("mine")).await;
    let last = events.last().unwrap();
    let found = looked_at(&mut stub, &last.run_id).await;
    let run = found.run.unwrap();
    assert_eq!((run.state(), run.last_sequence), (RunState::Finished, last.sequence));
    assert_eq!((run.request_id.as_str(), run.task_id.as_str()), ("mine", "test"));
    assert_eq!(run.caller, format!("uid {}", nix::unistd::geteuid()));
    let [accepted, ended] = [run.accepted_time, run.ended_time].map(|time| {
        SystemTime::try_from(time.expect("a time")).expect("a time that the host knows")
    });
    assert!(ended > accepted);
    let Some(Ending::Report(report)) = found.ending else { panic!("no report") };
    assert_eq!(last.kind, Some(Kind::Finished(report)));
}

#[tokio::test]
async fn live_run_is_looked_at_without_an_ending() {
    let server = Server::over_tcp(endless_from(0)).await;
    let mut stub = stub(&server).await;
    let mut running = stub.profile_stream(stream(plain())).await.unwrap().into_inner();
    let mut waiting = stub.profile_stream(stream(plain())).await.unwrap().into_inner();
    let waits = first(&mut waiting).await.run_id;
    let runs = first(&mut running).await.run_id;
    while !matches!(first(&mut running).await.kind, Some(Kind::Compiled(_))) {}
    let state = async |run_id: &str| {
        let found = looked_at(&mut stub.clone(), run_id).await;
        assert_eq!(found.ending, None);
        found.run.unwrap().state()
    };
    assert_eq!(state(&runs).await, RunState::Running);
    assert_eq!(state(&waits).await, RunState::Queued);
}

#[tokio::test]
async fn run_that_nobody_submitted_is_not_found() {
    let server = Server::over_tcp(ending_program()).await;
    let mut stub = stub(&server).await;
    let run_id = String::from("nobody");
    let got = stub.get_run(v1::GetRunRequest { run_id: run_id.clone() }).await.unwrap_err();
    let request = v1::WatchRunRequest { run_id, after_sequence: 0 };
    let watched = stub.watch_run(request).await.unwrap_err();
    assert_eq!([got.code(), watched.code()], [Code::NotFound; 2]);
    assert_eq!(got.get_details_error_info().unwrap().reason, "UNKNOWN_RUN");
}

#[tokio::test]
async fn runs_are_listed_in_pages_from_the_newest_on() {
    let server = Server::over_tcp(ending_program()).await;
    let mut stub = stub(&server).await;
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(submitted(&mut stub, job("")).await[0].run_id.clone());
    }
    made.reverse();
    let (mut listed, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = v1::ListRunsRequest { page_size: 2, page_token };
        let page = stub.list_runs(request).await.unwrap().into_inner();
        listed.extend(page.runs.into_iter().map(|run| run.run_id));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(listed, made);
}

#[tokio::test]
async fn invalid_page_token_is_refused_by_its_field() {
    let server = Server::over_tcp(ending_program()).await;
    let request = v1::ListRunsRequest { page_size: 0, page_token: "2".into() };
    let refused = stub(&server).await.list_runs(request).await.unwrap_err();
    let bad = refused.get_details_bad_request().expect("a BadRequest");
    assert_eq!(bad.field_violations[0].field, "page_token");
}

#[tokio::test]
async fn same_request_is_answered_by_the_same_run() {
    let server = Server::over_tcp(ending_program()).await;
    let mut stub = stub(&server).await;
    let events = submitted(&mut stub, job("mine")).await;
    assert_eq!(submitted(&mut stub, job("mine")).await, events);
    let answer = stub.profile(unary(job("mine"))).await.unwrap().into_inner();
    assert_eq!(answer.run_id, events[0].run_id);
}

#[tokio::test]
async fn run_that_is_over_is_found_by_its_request_while_no_sandbox_can_be_started() {
    let server = Server::over_tcp(ending_program()).await;
    let mut stub = stub(&server).await;
    let events = submitted(&mut stub, job("mine")).await;
    server.set_available(false);
    // This submission discovers that no sandbox can be started.
    submitted(&mut stub, job("")).await;
    let refused = stub.profile(unary(job("other"))).await.unwrap_err();
    assert_eq!(refused.get_details_error_info().unwrap().reason, "NO_SANDBOX");
    assert_eq!(submitted(&mut stub, job("mine")).await, events);
}

#[tokio::test]
async fn same_request_joins_a_live_run() {
    let server = Server::over_tcp(endless_from(0)).await;
    let mut stub = stub(&server).await;
    let mut one = stub.profile_stream(stream(job("mine"))).await.unwrap().into_inner();
    let mut two = stub.profile_stream(stream(job("mine"))).await.unwrap().into_inner();
    let accepted = first(&mut one).await;
    assert_eq!(first(&mut two).await, accepted);
    server.until_alive(SANDBOXES).await;
    drop(one);
    // The run still belongs to the other caller.
    stub.cancel_run(v1::CancelRunRequest { run_id: accepted.run_id }).await.unwrap();
    server.until_alive(0).await;
}

#[tokio::test]
async fn another_job_with_the_same_request_id_is_refused() {
    let server = Server::over_tcp(ending_program()).await;
    let mut stub = stub(&server).await;
    submitted(&mut stub, job("mine")).await;
    let other = Job { debug: true, ..job("mine") };
    let refused = stub.profile(unary(other)).await.unwrap_err();
    assert_eq!(refused.code(), Code::AlreadyExists);
    assert_eq!(refused.get_details_error_info().unwrap().reason, "REQUEST_ID_TAKEN");
}

#[tokio::test]
async fn next_server_serves_what_this_one_finished() {
    let folder = tempfile::tempdir().unwrap();
    let server = keeping(folder.path()).await;
    let events = submitted(&mut stub(&server).await, job("mine")).await;
    server.stop().await.unwrap();
    let server = keeping(folder.path()).await;
    let mut stub = stub(&server).await;
    assert_eq!(watched(&mut stub, &events[0].run_id, 0).await, events);
    assert_eq!(submitted(&mut stub, job("mine")).await, events);
}

#[tokio::test]
async fn interrupted_run_is_data_for_whoever_comes_later() {
    let folder = tempfile::tempdir().unwrap();
    let config =
        Config { drain_sec: 0.0, state_dir: Some(folder.path().into()), ..Config::default() };
    let server = Server::with(endless_from(10), 0, config).await;
    let mut watching =
        stub(&server).await.profile_stream(stream(job("mine"))).await.unwrap().into_inner();
    while !matches!(first(&mut watching).await.kind, Some(Kind::SizeMeasured(_))) {}
    server.stop().await.unwrap();
    let server = keeping(folder.path()).await;
    let events = submitted(&mut stub(&server).await, job("mine")).await;
    let Some(Kind::Failed(error)) = events.last().and_then(|event| event.kind.clone()) else {
        panic!("{events:?}")
    };
    assert_eq!(
        (error.code(), error.partial.unwrap().input_sizes),
        (ErrorCode::Interrupted, vec![1])
    );
    assert_eq!(server.alive(), 0, "it is not run a second time");
}
