//! Quotas of a caller.

use crate::support::{PATIENCE, Server, backend, job};
use profiler_client::v1::ErrorCode;
use profiler_client::{Client, Error};
use profiler_server::Config;
use profiler_server::config::Quota;
use std::time::Duration;
use tokio::time::timeout;

/// Too short for a second attempt.
const HURRY: Duration = Duration::from_secs(1);

async fn server(quota: Quota) -> Server {
    Server::start(Config { quota, ..Config::default() }, backend::stuck()).await
}

async fn named(server: &Server, caller: &str) -> Client {
    server.client().await.with_run_timeout(HURRY).with_caller(caller).unwrap()
}

#[tokio::test]
async fn a_used_up_quota_is_named_and_binds_its_caller_alone() {
    let server = server(Quota { live_runs: Some(1), ..Quota::default() }).await;
    let greedy = named(&server, "greedy").await;
    let _live = greedy.submit(job()).await.unwrap();
    let Err(Error::Unavailable { message, retry_after, .. }) = greedy.submit(job()).await else {
        panic!("accepted")
    };
    assert!(message.contains("quota live_runs"), "{message}");
    assert!(retry_after.is_some(), "waiting helps");
    named(&server, "modest").await.submit(job()).await.unwrap();
}

#[tokio::test]
async fn a_run_that_takes_too_long_ends_and_says_by_which_quota() {
    let server = server(Quota { run_sec: Some(0.1), ..Quota::default() }).await;
    let run = server.client().await.submit(job()).await.unwrap();
    let Err(Error::Sandbox(error)) = timeout(PATIENCE, run.wait()).await.unwrap() else {
        panic!("a report")
    };
    assert_eq!(error.code(), ErrorCode::Deadline);
    assert!(error.message.contains("quota run_sec"), "{error:?}");
}
