//! The whole server: it serves, drains and closes.
//!
//! After a shutdown request, health says `NOT_SERVING`, no run is accepted, and the live runs may
//! end within [`Config::drain_limit`]. Then the runs are interrupted, the connections close, and
//! the pool removes its sandboxes. All of that takes the drain limit and a few seconds.

use crate::config::Config;
use crate::connections::incoming::incoming;
use crate::connections::raise_file_limit;
use crate::identity::{self, Access, AccessError};
use crate::listener::Listener;
use crate::logging;
use crate::rpc::gate::Gate;
use crate::rpc::health::HealthMonitor;
use crate::rpc::limits::{
    MAX_CALLS_PER_CONNECTION, MAX_EXPORTS, MAX_INFERENCES, MAX_MESSAGE_BYTES, MAX_WATCHES,
};
use crate::rpc::message_limit::MessageLimit;
use crate::rpc::{deadline, service::Service};
use crate::runs::LiveRuns;
use crate::store::Store;
use futures::{FutureExt, StreamExt};
use profiler_core::Profiler;
use profiler_proto::json::descriptors;
use profiler_proto::v1::profiler_service_server::ProfilerServiceServer;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::server::{Router, Server};

/// How often an idle connection is probed. Without probes, a broken network goes unnoticed.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// A connection that does not answer a probe within this time is closed, which ends its calls.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long connections may stay open after the last live run. Health watches never end themselves.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);
/// How long the removal of the last sandboxes may take. The sweep of the next server removes those
/// that are left.
const REMOVE_LIMIT: Duration = Duration::from_secs(5);

/// The server could not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The settings of identity cannot be used.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The address is gone.
    #[error("listen: {0}")]
    Address(io::Error),
    /// The descriptors of the messages are broken.
    #[error(transparent)]
    Descriptors(#[from] profiler_proto::json::Error),
    /// The descriptors of reflection are broken.
    #[error("serve reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The transport failed.
    #[error("serve: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// Serves until `shutdown` completes. Then drains the live runs, interrupts those that are left
/// after the drain limit, and closes the pool. `store` keeps the runs.
pub async fn serve(
    config: Config,
    profiler: Profiler,
    store: Store,
    listener: Listener,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    if let Err(error) = raise_file_limit() {
        tracing::warn!(target: logging::TARGET, "raise the limit of open files: {error}");
    }
    let address = listener.address().map_err(ServeError::Address)?;
    identity::check_address(&config.identity, &address)?;
    let access = Arc::new(Access::load(config.identity.clone())?);
    access.warn();
    let pool = profiler.pool.clone();
    let drain_limit = config.drain_limit();
    let runs = LiveRuns::start(
        profiler.clone(),
        store.clone(),
        config.concurrency,
        config.max_queued,
        config.quota.clone(),
    );
    let (reporter, health_service) = tonic_health::server::health_reporter();
    let shutdown = shutdown.shared();
    let mut health = HealthMonitor { sandboxes: pool.health(), store: store.health() };
    // Before the first caller can ask.
    health.publish(&reporter).await;
    let service = Service {
        config,
        pool: pool.clone(),
        store,
        runs: runs.clone(),
        watches: Arc::new(Semaphore::new(MAX_WATCHES)),
        exports: Arc::new(Semaphore::new(MAX_EXPORTS)),
        inferences: Arc::new(Semaphore::new(MAX_INFERENCES)),
    };
    let router = router(service, Arc::clone(&access))?.add_service(health_service);
    let drain = async {
        health.publish_until(reporter, shutdown.clone()).await;
        shutdown.clone().await;
        runs.drain(drain_limit).await;
        sleep(CLOSE_LIMIT).await;
    };
    let close = async {
        // The last connection is closed, so no run has a caller.
        runs.drain(Duration::ZERO).await;
        if timeout(REMOVE_LIMIT, pool.close()).await.is_err() {
            tracing::warn!(target: logging::TARGET, "a sandbox was not removed");
        }
    };
    // The socket file stays until the server has ended.
    let (connections, _socket_file) = incoming(listener, Arc::clone(&access));
    let connections = connections.map(Ok::<_, io::Error>);
    let served = tokio::select! {
        served = router.serve_with_incoming_shutdown(connections, shutdown.clone()) => served,
        () = drain => Ok(()),
        () = identity::follow(access) => Ok(()),
    };
    close.await;
    Ok(served?)
}

fn router(service: Service, access: Arc<Access>) -> Result<Router, ServeError> {
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(profiler_proto::DESCRIPTOR)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let profiler = ProfilerServiceServer::new(service).max_decoding_message_size(MAX_MESSAGE_BYTES);
    let limited = MessageLimit { inner: profiler, descriptors: descriptors()? };
    Ok(Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .max_concurrent_streams(MAX_CALLS_PER_CONNECTION)
        .add_service(InterceptedService::new(Gate { inner: limited, access }, deadline::stamp))
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?))
}
