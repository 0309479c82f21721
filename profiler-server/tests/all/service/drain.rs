//! End of the server: the health status, the runs that are accepted, and the addresses.

use super::support::{PATIENCE, Server, backend, job};
use super::{SERVICE, long_queue};
use profiler_client::Client;
use profiler_client::v1::{self, CancelRunRequest};
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_server::{Address, Config};
use tokio::time::timeout;
use tonic::transport::Channel;
use tonic::{Code, Streaming};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use tonic_types::StatusExt;

/// Longer than any test waits, in seconds.
const NEVER: f64 = 3600.0;

fn request() -> HealthCheckRequest {
    HealthCheckRequest { service: SERVICE.into() }
}

async fn watch_health(channel: Channel) -> Streaming<HealthCheckResponse> {
    HealthClient::new(channel).watch(request()).await.unwrap().into_inner()
}

async fn until_not_serving(health: &mut Streaming<HealthCheckResponse>) {
    let turned = async {
        while health.message().await.unwrap().unwrap().status() != ServingStatus::NotServing {}
    };
    timeout(PATIENCE, turned).await.expect("health never turned");
}

/// Returns the health status that a probe hears on a connection of its own.
async fn probe(server: &Server) -> ServingStatus {
    let mut client = HealthClient::new(server.channel().await);
    client.check(request()).await.unwrap().into_inner().status()
}

#[tokio::test]
async fn health_turns_in_the_grace_while_runs_are_accepted() {
    let config = Config { drain_grace_sec: NEVER, ..Config::default() };
    let mut server = Server::start(config, backend::stuck()).await;
    let mut health = watch_health(server.channel().await).await;
    assert!(server.client().await.capabilities().await.unwrap().serving);
    server.ask_to_end();
    until_not_serving(&mut health).await;
    assert_eq!(probe(&server).await, ServingStatus::NotServing);
    let client = server.client().await;
    let said = client.capabilities().await.unwrap();
    assert!(!said.serving);
    assert_eq!(said.not_serving_reason, "the server is shutting down");
    client.submit(job()).await.unwrap();
}

#[tokio::test]
async fn port_answers_and_refuses_new_runs_while_runs_drain() {
    let config = Config { drain_sec: NEVER, ..long_queue() };
    let mut server = Server::start(config, backend::stuck()).await;
    let mut health = watch_health(server.channel().await).await;
    let mut stub = ProfilerServiceClient::new(server.channel().await);
    let detached = || v1::Job { on_disconnect: v1::OnDisconnect::Detach.into(), ..job() };
    let first = server.client().await.submit(detached()).await.unwrap().detach();
    server.ask_to_end();
    until_not_serving(&mut health).await;
    // The health status changes a moment before runs are refused.
    let mut accepted = vec![first.clone()];
    let refused = loop {
        let request = v1::ProfileStreamRequest { job: Some(detached()) };
        match stub.profile_stream(request).await {
            Ok(events) => {
                let first = events.into_inner().message().await.unwrap().unwrap();
                accepted.push(first.event.unwrap().run_id);
            }
            Err(refused) => break refused,
        }
    };
    assert_eq!(refused.code(), Code::Unavailable, "{refused}");
    assert_eq!(refused.get_details_error_info().unwrap().reason, "SHUTTING_DOWN");
    assert!(refused.get_details_retry_info().is_some());
    assert_eq!(probe(&server).await, ServingStatus::NotServing);
    // A caller can find its run on a new connection.
    server.client().await.attach(&first, 0).await.unwrap();
    for run_id in accepted {
        stub.cancel_run(CancelRunRequest { run_id }).await.unwrap();
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn caller_at_a_terminal_gives_no_grace() {
    let config = Config { drain_grace_sec: NEVER, ..Config::default() };
    let server = Server::start(config, backend::stuck()).await;
    server.interrupt().await.unwrap();
}

#[tokio::test]
async fn every_address_serves() {
    let folder = tempfile::tempdir().unwrap();
    let file = Address::Unix(folder.path().join("socket"));
    let any: Address = "127.0.0.1:0".parse().unwrap();
    let addresses = [any.clone(), file, any];
    let server = Server::listen_on(&addresses, Config::default(), backend::stuck()).await;
    for url in server.urls() {
        Client::connect(url).await.unwrap().capabilities().await.unwrap();
    }
    assert_eq!(server.urls().len(), addresses.len());
    server.stop().await.unwrap();
    assert!(!folder.path().join("socket").exists());
}
