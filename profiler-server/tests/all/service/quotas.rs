//! Quotas of a caller, and what remains for a caller beside one with many runs.

use crate::service::support::{PATIENCE, Server, backend, job};
use futures::future::{join_all, try_join_all};
use profiler_client::v1::event::Kind;
use profiler_client::v1::{ErrorCode, Job};
use profiler_client::{Client, Error, Run};
use profiler_server::Config;
use profiler_server::config::Quota;
use std::time::Duration;
use tokio::time::timeout;

/// Number of programs that one caller sends at once.
const MANY: usize = 300;
/// Number of runs whose streams one connection has open; more than gRPC servers often allow.
const OPEN: usize = 300;
/// Time limit for [`MANY`] programs.
const PATIENCE_FOR_MANY: Duration = Duration::from_secs(180);

fn small() -> Job {
    Job { input_sizes: vec![1], ..job() }
}

async fn named(server: &Server, name: &str) -> Client {
    server.client().await.with_caller(name).unwrap()
}

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

#[tokio::test]
async fn many_programs_of_one_connection_come_back_and_another_caller_is_served_in_its_turn() {
    let server = Server::start(Config::default(), backend::quick()).await;
    let (greedy, modest) = (named(&server, "greedy").await, named(&server, "modest").await);
    let all = async {
        let accepted = try_join_all((0..MANY).map(|_| greedy.submit(small()))).await.unwrap();
        let mut other = modest.submit(small()).await.unwrap();
        let Kind::Accepted(first) = other.next().await.unwrap().unwrap().kind else { panic!() };
        assert!(first.queue_position <= 1, "{first:?}");
        let (others, own) =
            tokio::join!(join_all(accepted.into_iter().map(Run::wait)), other.wait());
        own.unwrap();
        for ended in others {
            ended.unwrap();
        }
    };
    timeout(PATIENCE_FOR_MANY, all).await.unwrap();
}

#[tokio::test]
async fn caller_with_many_open_streams_can_still_call() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let client = server.client().await;
    let all = async {
        let mut runs = try_join_all((0..OPEN).map(|_| client.submit(job()))).await.unwrap();
        let last = runs.pop().unwrap();
        last.cancel().await.unwrap();
        assert!(matches!(last.wait().await, Err(Error::Sandbox(_))));
    };
    timeout(PATIENCE, all).await.unwrap();
}
