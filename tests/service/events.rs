//! The events of a stream, and the same report from the unary call.

use crate::{ending_program, stub, unary};
use profiler_client::Event;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::profile_response::Ending;
use profiler_proto::v1::{ErrorCode, Growth, GrowthReport, Host, Job, ProfileReport, SizeResult};
use profiler_tests::jobs::plain;
use profiler_tests::server::Server;

/// All events of a run.
async fn events(server: &Server, job: Job) -> Vec<Event> {
    let mut run = server.client().await.submit(job).await.unwrap();
    let mut events = Vec::new();
    while let Some(event) = run.next().await.unwrap() {
        events.push(event);
    }
    events
}

/// The steps. Whether a run waits for a core depends on other tests.
fn names(events: &[Event]) -> Vec<&'static str> {
    let name = |event: &Event| match event.kind {
        Kind::Accepted(_) => "accepted",
        Kind::Started(_) => "started",
        Kind::Restarted(_) => "restarted",
        Kind::CoreAwaited(_) => "core awaited",
        Kind::Compiled(_) => "compiled",
        Kind::SizeMeasured(_) => "size measured",
        Kind::Heartbeat(_) => "heartbeat",
        Kind::Finished(_) => "finished",
        Kind::Failed(_) => "failed",
    };
    events.iter().map(name).filter(|name| *name != "core awaited").collect()
}

fn three_sizes() -> Job {
    Job { input_sizes: vec![1, 10, 100], ..plain() }
}

const STEPS: [&str; 6] =
    ["accepted", "compiled", "size measured", "size measured", "size measured", "finished"];

#[tokio::test]
async fn every_step_is_streamed_over_tcp() {
    let server = Server::over_tcp(ending_program()).await;
    assert_eq!(names(&events(&server, three_sizes()).await), STEPS);
}

#[tokio::test]
async fn every_step_is_streamed_over_a_socket_file() {
    let server = Server::over_socket(ending_program()).await;
    assert_eq!(names(&events(&server, three_sizes()).await), STEPS);
}

#[tokio::test]
async fn events_are_numbered_from_one() {
    let server = Server::over_tcp(ending_program()).await;
    let events = events(&server, three_sizes()).await;
    let numbers: Vec<u64> = events.iter().map(|event| event.sequence).collect();
    assert!(numbers.len() >= 6, "accepted, compiled, three sizes, finished: {numbers:?}");
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<u64>>());
}

#[tokio::test]
async fn streamed_sizes_are_the_reported_ones_without_memory() {
    let server = Server::over_tcp(ending_program()).await;
    let mut streamed = Vec::new();
    let mut reported = Vec::new();
    for event in events(&server, three_sizes()).await {
        match event.kind {
            Kind::SizeMeasured(size) => streamed.push(size),
            Kind::Finished(report) => reported = report.sizes,
            _ => {}
        }
    }
    assert!(streamed.iter().all(|size| size.memory.is_none()));
    // With cgroup version 1, only the memory probe counts the peak.
    let as_streamed = |size| SizeResult { memory: None, peak_is_counted: None, ..size };
    assert!(streamed.into_iter().map(as_streamed).eq(reported.into_iter().map(as_streamed)));
}

#[tokio::test]
async fn program_that_does_not_compile_fails_as_data() {
    let server = Server::over_tcp(ending_program()).await;
    let mut job = three_sizes();
    job.code.as_mut().unwrap().code_cpp = "#error".into();
    let events = events(&server, job).await;
    assert_eq!(names(&events), ["accepted", "compiled", "failed"]);
    let Some(Kind::Failed(error)) = events.last().map(|event| &event.kind) else {
        panic!("{events:?}")
    };
    assert_eq!(error.code(), ErrorCode::Compile);
}

/// A report without what differs between two runs of the same job.
fn comparable(report: ProfileReport) -> ProfileReport {
    let growth = report.growth.map(|growth| GrowthReport { spent_ms: 0.0, ..growth });
    let host = report.host.map(|host| Host { core_wait_ms: None, ..host });
    ProfileReport { run_id: String::new(), timestamp_utc: None, growth, host, ..report }
}

#[tokio::test]
async fn unary_call_reports_the_same() {
    // How much is counted depends on the time that is left.
    let job = || Job { growth: Growth::Timed.into(), ..three_sizes() };
    let server = Server::over_tcp(ending_program()).await;
    let answer = stub(&server).await.profile(unary(job())).await;
    let Some(Ending::Report(unary)) = answer.unwrap().into_inner().ending else {
        panic!("no report")
    };
    let run = server.client().await.submit(job()).await.unwrap();
    let streamed = run.wait().await.unwrap();
    assert_eq!(comparable(unary), comparable(streamed));
}

#[tokio::test]
async fn finished_run_leaves_no_sandbox() {
    let server = Server::over_socket(ending_program()).await;
    events(&server, three_sizes()).await;
    server.until_alive(0).await;
}
