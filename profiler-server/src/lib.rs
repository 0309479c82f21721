//! The gRPC service over `profiler-core`.
//!
//! A request is mapped by [`wire`], admitted to the line of live runs, and watched until its last
//! event. What is wrong with it before it is admitted is a [`status`]. [`serve`] is the whole server:
//! it ends when it is told to, within [`Config::drain_limit`] and two seconds, and leaves no sandbox.

#![forbid(unsafe_code)]

mod admission;
mod attachment;
#[cfg(test)]
#[path = "../tests/support/backend.rs"]
mod backend;
pub mod caller;
pub mod config;
mod deadline;
mod export;
mod health;
mod listener;
mod name;
mod oversized;
mod record;
mod runs;
mod service;
pub mod status;
pub mod store;
pub mod telemetry;
mod watch;
pub mod wire;

pub use attachment::{DETACHED_LIMIT, GRACE};
pub use config::Config;
pub use listener::{Address, AddressError, BindError, Listener, SocketFile};
pub use store::Store;

use futures::{FutureExt, Stream};
use health::Health;
use oversized::Oversized;
use profiler_core::limits::MAX_INPUTS_BYTES;
use profiler_core::sandbox::Pool;
use profiler_proto::v1::profiler_service_server::ProfilerServiceServer;
use runs::Runs;
use service::{MAX_WATCHES, Service};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::UnixListenerStream;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::server::{Connected, Router, Server, TcpIncoming};

/// Largest message that is read: what a job may hold and a margin, so that a source or an input that
/// is somewhat too large is refused by its name.
pub const MAX_MESSAGE_BYTES: usize = MAX_INPUTS_BYTES + (16 << 20);
/// Most calls of one connection at a time.
const MAX_CALLS: u32 = 128;
/// A connection on which nothing happens is probed this often, or a cut network goes unnoticed.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// A connection that does not answer a probe for so long is closed, which ends its runs.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long connections may take to close once no run is live: health watchers stay as they like.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);
/// How long taking the last sandboxes off the host may take: what is left then waits for the sweep of
/// the next server.
const REMOVE_LIMIT: Duration = Duration::from_secs(5);

/// The server could not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The descriptors are broken.
    #[error("serve reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The transport failed.
    #[error("serve: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// Serves until `shutdown` is done; then lets the live runs end within the drain limit, interrupts
/// those that have not, and closes the pool. Runs are kept in `store`.
pub async fn serve(
    config: Config,
    pool: Pool,
    store: Store,
    listener: Listener,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let drain_limit = config.drain_limit();
    let runs = Runs::new(pool.clone(), store.clone(), config.concurrency, config.max_queued);
    let (reporter, health_service) = tonic_health::server::health_reporter();
    let shutdown = shutdown.shared();
    let mut health = Health { sandboxes: pool.health(), store: store.health() };
    // Before anybody can ask.
    health.tell(&reporter).await;
    let watches = Arc::new(Semaphore::new(MAX_WATCHES));
    let exports = Arc::new(Semaphore::new(export::MAX_EXPORTS));
    let (shared_pool, shared_runs) = (pool.clone(), runs.clone());
    let service = Service { config, pool: shared_pool, store, runs: shared_runs, watches, exports };
    let router = router(service)?.add_service(health_service);
    let closing = async {
        health.report(reporter, shutdown.clone()).await;
        shutdown.clone().await;
        runs.drain(drain_limit).await;
        sleep(CLOSE_LIMIT).await;
    };
    let emptied = async {
        // Once the last connection is closed, no run has a caller.
        runs.drain(Duration::ZERO).await;
        if timeout(REMOVE_LIMIT, pool.close()).await.is_err() {
            tracing::warn!(target: telemetry::TARGET, "a sandbox is left");
        }
    };
    // The listener's second part keeps a socket file until the server has ended.
    let (serving, _socket_file) = match listener {
        Listener::Tcp(listener) => {
            let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
            (incoming_calls(router, incoming, shutdown.clone()).boxed(), None)
        }
        Listener::Unix(listener, file) => {
            let incoming = UnixListenerStream::new(listener);
            (incoming_calls(router, incoming, shutdown.clone()).boxed(), Some(file))
        }
    };
    let answered = tokio::select! {
        served = serving => served,
        () = closing => Ok(()),
    };
    emptied.await;
    Ok(answered?)
}

/// SIGTERM and SIGINT, the wish that this process ends. Neither kills it from [`Self::listen`] on.
#[derive(Debug)]
pub struct Termination {
    terminate: Signal,
    interrupt: Signal,
}

impl Termination {
    /// Begins to listen.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Returns at the next such signal since the last.
    pub async fn asked(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

fn router(service: Service) -> Result<Router, ServeError> {
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(profiler_proto::DESCRIPTOR)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let profiler = ProfilerServiceServer::new(service).max_decoding_message_size(MAX_MESSAGE_BYTES);
    Ok(Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .max_concurrent_streams(MAX_CALLS)
        .add_service(InterceptedService::new(Oversized(profiler), deadline::stamp))
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?))
}

/// Answers every incoming connection until `shutdown` is done and the connections are closed.
async fn incoming_calls<Io>(
    router: Router,
    incoming: impl Stream<Item = io::Result<Io>> + Send,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), tonic::transport::Error>
where
    Io: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
{
    router.serve_with_incoming_shutdown(incoming, shutdown).await
}
