//! The service from the side of its callers, in this process and over real sockets. Only the
//! sandbox is a fake.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod cancel_and_deadline;
mod client;
mod disconnect_policy;
mod events;
mod fair_queue;
mod health;
mod refusal;
mod retained_runs;
mod vanishing_callers;

use profiler_core::sandbox::fake::Fake;
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_proto::v1::{self, Job};
use profiler_server::Config;
use profiler_tests::server::Server;
use tonic::Request;
use tonic::transport::Channel;

/// A program that ends: 20 ns and 8 bytes for each element.
fn ending_program() -> Fake {
    Fake::costing(20, 8)
}

/// A program that ends only at the sizes below `from`.
fn endless_from(from: u64) -> Fake {
    Fake::new(move |n| (n < from).then(|| profiler_core::sandbox::fake::ok(1_000_000, 1 << 20)))
}

/// One running run, one waiting run, and no time for either at shutdown.
fn small_queue() -> Config {
    Config { max_queued: 1, drain_sec: 0.0, ..Config::default() }
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
