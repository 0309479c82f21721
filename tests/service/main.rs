//! The service from its callers' side, in process and over real sockets: everything but the
//! sandbox, which is the fake's, is the real thing.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod attached;
mod client;
mod ending;
mod events;
mod health;
mod kept;
mod refusal;
mod vanishing;

use profiler_core::sandbox::fake::Fake;
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_proto::v1::{self, Job};
use profiler_tests::server::Server;
use tonic::Request;
use tonic::transport::Channel;

/// A program that ends: 20 ns and 8 bytes for each element.
fn ending_program() -> Fake {
    Fake::costing(20, 8)
}

/// A program that does not, except at the sizes below `from`.
fn endless_from(from: u32) -> Fake {
    Fake::new(move |n| (n < from).then(|| profiler_core::sandbox::fake::ok(1_000_000, 1 << 20)))
}

async fn stub(server: &Server) -> ProfilerServiceClient<Channel> {
    ProfilerServiceClient::new(server.channel().await)
}

fn unary(job: Job) -> Request<v1::ProfileRequest> {
    Request::new(v1::ProfileRequest { job: Some(job) })
}

fn stream(job: Job) -> Request<v1::ProfileStreamRequest> {
    Request::new(v1::ProfileStreamRequest { job: Some(job) })
}
