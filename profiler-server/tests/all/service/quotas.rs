//! Quotas of a caller.

use crate::service::support::{PATIENCE, Server, backend, job};
use profiler_client::Error;
use profiler_client::v1::ErrorCode;
use profiler_server::Config;
use profiler_server::config::Quota;
use tokio::time::timeout;

async fn server(quota: Quota) -> Server {
    Server::start(Config { quota, ..Config::default() }, backend::stuck()).await
}

#[tokio::test]
async fn used_up_quota_is_named_and_binds_its_caller_alone() {
    let server = server(Quota { live_runs: Some(1), ..Quota::default() }).await;
    let _live = server.submit_once("greedy").await.unwrap();
    let refused = server.submit_once("greedy").await.unwrap_err();
    assert_eq!(refused.info().unwrap().reason, "QUOTA");
    let Error::Unavailable { message, retry_after, .. } = refused else { panic!("{refused:?}") };
    assert!(message.contains("quota live_runs"), "{message}");
    assert!(retry_after.is_some(), "waiting helps");
    server.submit_once("modest").await.unwrap();
}

#[tokio::test]
async fn run_that_takes_too_long_ends_and_says_by_which_quota() {
    let server = server(Quota { run_sec: Some(0.1), ..Quota::default() }).await;
    let run = server.client().await.submit(job()).await.unwrap();
    let Err(Error::Sandbox(error)) = timeout(PATIENCE, run.wait()).await.unwrap() else {
        panic!("a report")
    };
    assert_eq!(error.code(), ErrorCode::Deadline);
    assert!(error.message.contains("quota run_sec"), "{error:?}");
}
