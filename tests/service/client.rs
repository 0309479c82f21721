//! The client crate against the service.

use crate::{ending_program, endless_from};
use profiler_client::v1::{Job, event::Kind};
use profiler_client::{Client, Error};
use profiler_tests::jobs::plain;
use profiler_tests::server::Server;
use std::time::Duration;

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
async fn the_first_event_accepts_the_run() {
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
async fn a_run_timeout_ends_the_program() {
    let server = Server::over_tcp(endless_from(0)).await;
    let client = server.client().await;
    let client = client.with_run_timeout(Duration::from_millis(300));
    let ended = client.submit(plain()).await.unwrap().wait().await;
    assert!(matches!(ended, Err(Error::Deadline)), "{ended:?}");
    server.until_alive(0).await;
}

#[tokio::test]
async fn an_endpoint_that_is_gone_is_named() {
    let server = Server::over_tcp(ending_program()).await;
    let url = server.url().to_owned();
    server.stop().await.unwrap();
    let refused = Client::connect(&url).await.unwrap_err();
    assert!(matches!(&refused, Error::Connect { endpoint, .. } if *endpoint == url), "{refused:?}");
}

#[tokio::test]
async fn a_server_that_goes_away_is_an_error_of_the_run() {
    let server = Server::with(endless_from(0), 0, crate::refusal::impatient()).await;
    let run = server.client().await.submit(plain()).await.unwrap();
    let (ended, stopped) = tokio::join!(run.wait(), server.stop());
    stopped.unwrap();
    let Err(Error::Sandbox(error)) = ended else { panic!("{ended:?}") };
    assert_eq!(error.code, "interrupted");
}
