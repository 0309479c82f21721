//! The client crate against the service.

use crate::{ending_program, endless_from};
use profiler_client::v1::{ErrorCode, Job, OnDisconnect, RunLimits, RunState, event::Kind};
use profiler_client::{Client, Error, Event};
use profiler_server::{Address, Config};
use profiler_tests::jobs::{SANDBOXES, plain};
use profiler_tests::server::Server;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tonic::Code;

#[tokio::test]
async fn waiting_gives_the_report() {
    let server = Server::over_socket(ending_program()).await;
    let job = Job { input_sizes: vec![7], ..plain() };
    let run = server.client().await.submit(job).await.unwrap();
    let id = run.id().to_owned();
    let report = run.wait().await.unwrap();
    assert_eq!((report.input_sizes, report.run_id), (vec![7], id));
}

#[tokio::test]
async fn first_event_accepts_the_run() {
    let server = Server::over_tcp(ending_program()).await;
    let mut run = server.client().await.submit(plain()).await.unwrap();
    let first = run.next().await.unwrap().unwrap();
    assert!(matches!(first.kind, Kind::Accepted(_)), "{first:?}");
}

#[tokio::test]
async fn bad_fields_come_one_by_one() {
    let server = Server::over_tcp(ending_program()).await;
    let refused = server.client().await.submit(Job::default()).await;
    let Err(Error::Invalid { violations, .. }) = refused else { panic!("{refused:?}") };
    let fields: Vec<_> = violations.into_iter().map(|bad| bad.field).collect();
    assert_eq!(fields, ["code.task_id", "code.code_cpp"]);
}

#[tokio::test]
async fn run_timeout_ends_the_program() {
    // The program's own time limit is longer than this test waits for its end.
    let limits = RunLimits { timeout_ms: Some(60_000.0), ..RunLimits::default() };
    let job = Job { limits: Some(limits), ..plain() };
    // On a machine that stalls, the time may pass before the client hears that its run is accepted.
    // The server then keeps the run for its grace, so each attempt has a server of its own.
    let (server, run) = loop {
        let server = Server::over_tcp(endless_from(0)).await;
        let client = server.client().await.with_run_timeout(Duration::from_millis(300));
        match client.submit(job.clone()).await {
            Ok(run) => break (server, run),
            Err(error) => assert!(matches!(error, Error::Deadline), "{error:?}"),
        }
    };
    let ended = run.wait().await;
    assert!(matches!(ended, Err(Error::Deadline)), "{ended:?}");
    server.until_alive(0).await;
}

#[tokio::test]
async fn endpoint_that_is_gone_is_named() {
    let server = Server::over_tcp(ending_program()).await;
    let url = server.url().to_owned();
    server.stop().await.unwrap();
    let refused = Client::connect(&url).await.unwrap_err();
    assert!(matches!(&refused, Error::Connect { endpoint, .. } if *endpoint == url), "{refused:?}");
}

#[tokio::test]
async fn server_that_goes_away_is_an_error_of_the_run() {
    let server = Server::with(endless_from(0), 0, crate::small_queue()).await;
    let run = server.client().await.submit(plain()).await.unwrap();
    let (ended, stopped) = tokio::join!(run.wait(), server.stop());
    stopped.unwrap();
    let Err(Error::Sandbox(error)) = ended else { panic!("{ended:?}") };
    assert_eq!(error.code(), ErrorCode::Interrupted);
}

/// The server is asked to end, and the next one on the same state has the rest.
#[tokio::test]
async fn run_is_followed_to_the_next_server_and_each_event_comes_once() {
    let folder = tempfile::tempdir().unwrap();
    let address = Address::Unix(folder.path().join("socket"));
    let state_dir = Some(folder.path().join("state"));
    let config = Config { state_dir, ..crate::small_queue() };
    let server = Server::listen(endless_from(10), 0, config.clone(), &address, None).await;
    let client = server.client().await;
    let job = Job { input_sizes: vec![1, 10], ..plain() };
    let mut run = client.submit(job).await.unwrap();
    let mut events = Vec::new();
    while !matches!(events.last(), Some(Event { kind: Kind::SizeMeasured(_), .. })) {
        events.push(run.next().await.unwrap().unwrap());
    }
    server.stop().await.unwrap();
    let _next = Server::listen(ending_program(), 0, config, &address, None).await;
    // The status after the last event says that the server ended.
    while let Ok(Some(event)) = run.next().await {
        events.push(event);
    }
    let numbers: Vec<_> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(numbers, (1..).take(events.len()).collect::<Vec<_>>());
    let Some(Kind::Failed(error)) = events.last().map(|event| &event.kind) else { panic!() };
    assert_eq!(error.code(), ErrorCode::Interrupted);
    // The same connection finds the next server.
    let mut again = client.attach(run.id(), 0).await.unwrap();
    for event in &events {
        assert_eq!(again.next().await.unwrap().as_ref(), Some(event));
    }
    assert_eq!(again.next().await.unwrap(), None);
}

/// Forwards connections to a server until the task is aborted.
async fn forward(at: &str, server: &Server) -> (SocketAddr, JoinHandle<()>) {
    let far = server.url().trim_start_matches("http://").to_owned();
    let listener = TcpListener::bind(at).await.unwrap();
    let address = listener.local_addr().unwrap();
    let passing = tokio::spawn(async move {
        let mut connections = JoinSet::new();
        loop {
            let (mut near, _) = listener.accept().await.unwrap();
            let mut far = TcpStream::connect(&far).await.unwrap();
            connections.spawn(async move { copy_bidirectional(&mut near, &mut far).await });
        }
    });
    (address, passing)
}

#[tokio::test]
async fn connection_that_is_cut_does_not_end_the_run() {
    let server = Server::over_tcp(endless_from(0)).await;
    let (address, passing) = forward("127.0.0.1:0", &server).await;
    let run = Client::connect(&format!("http://{address}")).await.unwrap();
    let run = run.submit(plain()).await.unwrap();
    server.until_alive(SANDBOXES).await;
    passing.abort();
    assert!(passing.await.is_err());
    let _mended = forward(&address.to_string(), &server).await;
    let client = server.client().await;
    let id = run.id().to_owned();
    let waiting = tokio::spawn(run.wait());
    client.cancel(&id).await.unwrap();
    let Err(Error::Sandbox(error)) = waiting.await.unwrap() else { panic!("a report") };
    assert_eq!(error.code(), ErrorCode::Cancelled);
    let runs = client.runs("").await.unwrap().runs;
    assert_eq!(runs.into_iter().map(|run| run.run_id).collect::<Vec<_>>(), [id]);
}

#[tokio::test]
async fn same_request_is_the_same_run() {
    let server = Server::over_tcp(ending_program()).await;
    let client = server.client().await;
    let job = Job { request_id: "mine".into(), input_sizes: vec![7], ..plain() };
    let first = client.submit(job.clone()).await.unwrap().wait().await.unwrap();
    let second = client.submit(job.clone()).await.unwrap().wait().await.unwrap();
    assert_eq!(first, second);
    let other = Job { input_sizes: vec![8], ..job };
    let Err(Error::Status(status)) = client.submit(other).await else { panic!("accepted") };
    assert_eq!(status.code(), Code::AlreadyExists);
}

#[tokio::test]
async fn run_that_is_left_can_be_attached_to() {
    let server = Server::over_tcp(endless_from(0)).await;
    let client = server.client().await.with_caller("coder").unwrap();
    let job = Job { on_disconnect: OnDisconnect::Detach.into(), ..plain() };
    let id = client.submit(job).await.unwrap().detach();
    let known = client.run(&id).await.unwrap();
    let run = known.run.unwrap();
    assert_eq!((run.caller.as_str(), known.ending), ("coder", None));
    let mut again = client.attach(&id, 0).await.unwrap();
    let first = again.next().await.unwrap().unwrap();
    assert!(matches!(first.kind, Kind::Accepted(_)), "{first:?}");
    again.cancel().await.unwrap();
    assert!(again.wait().await.is_err());
    let ended = client.run(&id).await.unwrap().run.unwrap();
    assert_eq!(ended.state(), RunState::Failed);
}

#[tokio::test]
async fn run_that_is_not_retained_cannot_be_attached_to() {
    let server = Server::over_tcp(ending_program()).await;
    let refused = server.client().await.attach("nobody", 0).await.map(drop);
    let Err(Error::Status(status)) = refused else { panic!("{refused:?}") };
    assert_eq!(status.code(), Code::NotFound);
}
