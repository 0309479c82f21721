//! The whole server: it serves, drains and closes.
//!
//! After a shutdown request the server [drains](drain). Then the connections close, and the pool
//! removes its sandboxes. All of that takes at most the drain grace, the drain limit and a few
//! seconds.

mod drain;
mod reload;
pub mod systemd;

pub use reload::Reload;

use crate::config::Config;
use crate::connections::incoming::incoming;
use crate::connections::listener::Listener;
use crate::connections::{Connection, raise_file_limit};
use crate::identity::{self, Access, AccessError};
use crate::measurers::{Measurers, Measuring};
use crate::permits::Permits;
use crate::rpc::agents::{self, AgentGate, Agents};
use crate::rpc::gate::Gate;
use crate::rpc::health::HealthMonitor;
use crate::rpc::infer::InferenceTurns;
use crate::rpc::limits::{
    MAX_CALLS_PER_CONNECTION, MAX_EXPORTS, MAX_HEALTH_MESSAGE_BYTES, MAX_MESSAGE_BYTES,
    MAX_REFLECTION_MESSAGE_BYTES, MAX_WATCHES,
};
use crate::rpc::message_limit::{Arriving, MessageLimit};
use crate::rpc::watch::Watches;
use crate::rpc::{deadline, service::Service};
use crate::runs::LiveRuns;
use crate::store::Store;
use crate::telemetry::calls::MeasuredCalls;
use crate::telemetry::logging;
use crate::telemetry::metrics::{Metrics, Reading};
use crate::telemetry::scrape::{self, ScrapeError};
use futures::future::try_join_all;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt};
use profiler_core::cancel::StopSignal;
use profiler_core::sandbox::Pool;
use profiler_proto::json::descriptors;
use profiler_proto::v1::profiler_service_server::ProfilerServiceServer;
use prost::{DecodeError, Message};
use prost_types::FileDescriptorSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, sleep, timeout};
use tonic::service::Routes;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::server::Server;

/// Interval between probes of an idle connection. Without probes, a broken network goes unnoticed.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// A connection that does not answer a probe within this time is closed, which ends its calls.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time that connections may stay open after the last live run. Health watches never end by
/// themselves.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);
/// Time limit for the removal of the last sandboxes. The sweep of the next server removes those
/// that are left.
const REMOVE_LIMIT: Duration = Duration::from_secs(5);

/// Reason why the server could not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The settings of identity cannot be used.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The address of a listener cannot be read.
    #[error("cannot listen: {0}")]
    Address(io::Error),
    /// The descriptors of the messages are broken.
    #[error(transparent)]
    Descriptors(#[from] profiler_proto::json::Error),
    /// The descriptors of reflection are broken.
    #[error("cannot serve reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The transport failed.
    #[error("cannot serve: {0}")]
    Transport(#[from] tonic::transport::Error),
    /// The port of the metrics cannot be bound.
    #[error(transparent)]
    Metrics(#[from] ScrapeError),
    /// The fleet refuses this gateway.
    #[error("{0}")]
    Fleet(String),
}

/// Serves on every listener until `shutdown` completes. Then drains the live runs, interrupts those
/// that are left after the drain limit, and closes the pool. `settings` may change; a change of a
/// setting that needs a restart has no effect.
///
/// # Errors
/// If the transport fails. The socket files of `listeners` are removed in any case.
pub async fn serve(
    settings: watch::Receiver<Config>,
    measuring: impl Into<Measuring>,
    store: Store,
    listeners: Vec<Listener>,
    agents: Option<Agents>,
    shutdown: impl Future<Output = StopSignal> + Send,
) -> Result<(), ServeError> {
    raise_file_limit();
    let config = settings.borrow().clone();
    let access = Arc::new(access(&config, &listeners)?);
    let measuring = measuring.into();
    let metrics = Metrics::new(measuring.name());
    let store = store.measured(metrics.clone());
    let (runs, measurers) = measuring.start(store.clone(), metrics.clone(), &config);
    let page = page(&metrics, &measurers, &store, &runs, config.concurrency, &access);
    let mut health = HealthMonitor::new(measurers.health.clone(), store.health());
    let probed = health.clone();
    let _scraped = scrape::serve(config.metrics, page, move || probed.check()).await?;
    let (reporter, health_service) = tonic_health::server::health_reporter();
    let health_service = health_service.max_decoding_message_size(MAX_HEALTH_MESSAGE_BYTES);
    // Published before the first caller can ask.
    health.publish(&reporter).await;
    let service = Service {
        settings: settings.clone(),
        health: health.clone(),
        measurers: measurers.clone(),
        store: store.clone(),
        runs: runs.clone(),
        metrics,
        watches: Watches::new(MAX_WATCHES),
        exports: Permits::new(MAX_EXPORTS, 1),
        inferences: InferenceTurns::default(),
    };
    let (routes, inside) = routes(service, agents, Arc::clone(&access))?;
    let routes = routes.add_service(health_service);
    let (close, closing) = oneshot::channel::<()>();
    let closing = closing.map(drop).shared();
    let drain = async {
        let signal = health.publish_until(reporter, shutdown).await;
        systemd::stopping();
        let config = settings.borrow().clone();
        drain::drain(&runs, &config, signal).await;
        drop(close);
        sleep(CLOSE_LIMIT).await;
    };
    // The check ends when the owners of the runs and of the store have answered; their answers do
    // not matter.
    let check = || {
        let (runs, store) = (runs.clone(), store.clone());
        async move { drop(tokio::join!(runs.count(), store.answered())) }
    };
    let end = async {
        // The last connection is closed, so no run has a caller.
        runs.drain(Duration::ZERO).await;
        if let Some(pool) = &measurers.pool
            && timeout(REMOVE_LIMIT, pool.close()).await.is_err()
        {
            tracing::warn!(target: logging::TARGET, "a sandbox was not removed");
        }
    };
    // The socket files stay until the server has ended.
    let (mut serving, mut socket_files) = (Vec::new(), Vec::new());
    let outside = listeners.into_iter().map(|listener| incoming(listener, Arc::clone(&access)));
    for (connections, file) in outside.chain([(inside, None)]) {
        let server = server().add_routes(routes.clone());
        let connections = connections.map(Ok::<_, io::Error>);
        serving.push(server.serve_with_incoming_shutdown(connections, closing.clone()));
        socket_files.extend(file);
    }
    let served = tokio::select! {
        served = try_join_all(serving) => served.map(drop).map_err(ServeError::from),
        reason = measurers.failed() => Err(ServeError::Fleet(reason)),
        () = drain => Ok(()),
        () = identity::follow(access, settings.clone()) => Ok(()),
        never = runs.follow_quota(settings.clone()) => match never {},
        never = systemd::watch(systemd::watchdog_period(), check, systemd::alive) => match never {},
    };
    end.await;
    served
}

/// Loads the rules against which callers of these listeners are checked.
fn access(config: &Config, listeners: &[Listener]) -> Result<Access, ServeError> {
    for listener in listeners {
        let address = listener.address().map_err(ServeError::Address)?;
        identity::check_address(&config.identity, &address)?;
    }
    let access = Access::load(config.identity.clone())?;
    if config.identity.insecure {
        tracing::warn!(target: logging::TARGET, "{}", identity::INSECURE);
    }
    Ok(access)
}

fn page(
    metrics: &Metrics,
    measurers: &Measurers,
    store: &Store,
    runs: &LiveRuns,
    concurrency: usize,
    access: &Arc<Access>,
) -> impl Fn() -> Option<String> + Send + Sync + 'static {
    let (metrics, measurers, store) = (metrics.clone(), measurers.clone(), store.clone());
    let (runs, started, access) = (runs.state(), Instant::now(), Arc::clone(access));
    move || {
        let state = runs.borrow().clone();
        let waiting = state.waiting.iter().map(|(class, since)| (*class, since.elapsed()));
        let pool = measurers.pool.as_ref();
        let (log_share, broken) = measurers.logs();
        metrics
            .page(&Reading {
                waiting: waiting.collect(),
                running: state.running,
                sandboxes: pool.map(Pool::starts).unwrap_or_default(),
                swept: pool.map_or(0, |pool| pool.backend().swept()),
                state_bytes: store.file_bytes(),
                serving: measurers.health.borrow().is_ok() && store.health().borrow().is_ok(),
                uptime: started.elapsed(),
                cores: if measurers.pool.is_some() { concurrency } else { 0 },
                engine: measurers.engine(),
                log_share,
                broken,
                pools: measurers.pools(&state.pools),
                certificate_expiry: access.certificate_expiry(),
                ..Reading::default()
            })
            .ok()
    }
}

fn server() -> Server {
    Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .max_concurrent_streams(MAX_CALLS_PER_CONNECTION)
        // Agents speak HTTP/1. The gate refuses calls of the profiler service over HTTP/1.
        .accept_http1(true)
}

/// Adds the endpoint for agents.
fn with_agents(
    routes: Routes,
    agents: Option<Agents>,
    access: Arc<Access>,
    arriving: Arriving,
) -> (Routes, BoxStream<'static, Connection>) {
    let Some(Agents { answer, opened }) = agents else {
        return (routes, stream::empty().boxed());
    };
    let gate = AgentGate { answer, access, arriving };
    let routes = routes.into_axum_router().route_service(agents::PATH, gate);
    (routes.into(), opened.connections().boxed())
}

/// Returns the endpoints, and the connections over which the answers to agents call the service.
fn routes(
    service: Service,
    agents: Option<Agents>,
    access: Arc<Access>,
) -> Result<(Routes, BoxStream<'static, Connection>), ServeError> {
    let details = details().map_err(tonic_reflection::server::Error::from)?;
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(profiler_proto::DESCRIPTOR)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
            .register_file_descriptor_set(details.clone())
    };
    let arriving = Arriving::default();
    let metrics = service.metrics.clone();
    let profiler = ProfilerServiceServer::new(service).max_decoding_message_size(MAX_MESSAGE_BYTES);
    let limited =
        MessageLimit { inner: profiler, descriptors: descriptors()?, arriving: arriving.clone() };
    let gate = Gate { inner: limited, access: Arc::clone(&access) };
    let gated = InterceptedService::new(gate, deadline::stamp);
    let most = MAX_REFLECTION_MESSAGE_BYTES;
    let routes = Routes::new(MeasuredCalls { inner: gated, metrics })
        .add_service(reflection().build_v1()?.max_decoding_message_size(most))
        .add_service(reflection().build_v1alpha()?.max_decoding_message_size(most));
    Ok(with_agents(routes, agents, access, arriving))
}

/// Returns the descriptors of the details of a status. tonic-types leaves the folder out of the
/// names of their files.
fn details() -> Result<FileDescriptorSet, DecodeError> {
    let mut details = FileDescriptorSet::decode(tonic_types::pb::FILE_DESCRIPTOR_SET)?;
    for file in details.file.iter_mut().filter(|file| file.package() == "google.rpc") {
        file.name = Some(format!("google/rpc/{}", file.name()));
    }
    Ok(details)
}
