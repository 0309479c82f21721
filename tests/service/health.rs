//! `grpc.health.v1` follows whether a sandbox can be started.

use crate::{ending_program, stream, stub};
use profiler_client::Error;
use profiler_server::Config;
use profiler_tests::jobs::plain;
use profiler_tests::server::Server;
use tonic::Streaming;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

/// The server as a whole, and the service.
const NAMES: [&str; 2] = ["", "swiftsolve.profiler.v1.ProfilerService"];

/// A server with a warm sandbox, so that it notices by itself whether one can be started.
async fn server() -> Server {
    Server::with(ending_program(), 1, Config::default()).await
}

struct Watch(Streaming<HealthCheckResponse>);

impl Watch {
    async fn of(server: &Server, name: &str) -> Self {
        let request = HealthCheckRequest { service: name.into() };
        let watch = HealthClient::new(server.channel().await).watch(request).await;
        Self(watch.unwrap().into_inner())
    }

    async fn until(&mut self, wanted: ServingStatus) {
        while self.0.message().await.unwrap().expect("it is watched").status() != wanted {}
    }
}

#[tokio::test]
async fn health_turns_with_the_sandboxes_and_back() {
    let server = server().await;
    let client = server.client().await;
    for name in NAMES {
        let mut watch = Watch::of(&server, name).await;
        watch.until(ServingStatus::Serving).await;
        server.until_alive(1).await;
        server.set_available(false);
        // The run takes the warm sandbox, and the next one cannot be started.
        client.submit(plain()).await.unwrap().wait().await.unwrap();
        watch.until(ServingStatus::NotServing).await;
        server.set_available(true);
        watch.until(ServingStatus::Serving).await;
    }
}

#[tokio::test]
async fn submission_meanwhile_is_refused_with_a_reason_and_a_delay() {
    let server = server().await;
    let client = server.client().await;
    let mut watch = Watch::of(&server, NAMES[1]).await;
    server.until_alive(1).await;
    server.set_available(false);
    client.submit(plain()).await.unwrap().wait().await.unwrap();
    watch.until(ServingStatus::NotServing).await;
    let can = client.capabilities().await.unwrap();
    assert!(!can.serving && can.not_serving_reason.contains("switched off"), "{can:?}");
    // A client would try again, or on a machine that stalls reach its run timeout before.
    let refused = stub(&server).await.profile_stream(stream(plain())).await.map_err(Error::from);
    let Err(Error::Unavailable { retry_after: Some(_), message, .. }) = refused else {
        panic!("{refused:?}")
    };
    assert!(message.contains("switched off"), "{message}");
}

#[tokio::test]
async fn service_that_does_not_exist_has_no_health() {
    let server = server().await;
    let mut client = HealthClient::new(server.channel().await);
    let request = HealthCheckRequest { service: "nobody".into() };
    let status = client.check(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::NotFound);
}
