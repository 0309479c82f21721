//! `grpc.health.v1`: SERVING while sandboxes can be started and runs can be stored.

use crate::store::StoreHealth;
use profiler_core::error::SandboxFault;
use profiler_proto::v1::profiler_service_server::SERVICE_NAME;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

/// Names that a health check can give: the server as a whole, and the service.
const NAMES: [&str; 2] = ["", SERVICE_NAME];
/// Reason for `NOT_SERVING` after a shutdown request.
const ENDING: &str = "the server is shutting down";

/// The health of what the service depends on. Clones share it.
#[derive(Clone)]
pub(crate) struct HealthMonitor {
    sandboxes: watch::Receiver<Result<(), SandboxFault>>,
    store: watch::Receiver<StoreHealth>,
    is_ending: Arc<AtomicBool>,
}

impl HealthMonitor {
    pub(crate) fn new(
        sandboxes: watch::Receiver<Result<(), SandboxFault>>,
        store: watch::Receiver<StoreHealth>,
    ) -> Self {
        Self { sandboxes, store, is_ending: Arc::default() }
    }

    /// Returns the reason if health is `NOT_SERVING`.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.is_ending.load(Ordering::Relaxed) {
            return Err(ENDING.into());
        }
        self.sandboxes.borrow().clone().map_err(|fault| fault.to_string())?;
        self.store.borrow().clone().map_err(|fault| fault.to_string())
    }

    /// Publishes the current health.
    pub(crate) async fn publish(&mut self, reporter: &HealthReporter) {
        let sandboxes = self.sandboxes.borrow_and_update().is_ok();
        let is_healthy = sandboxes && self.store.borrow_and_update().is_ok();
        let status = if is_healthy { ServingStatus::Serving } else { ServingStatus::NotServing };
        set(reporter, status).await;
    }

    /// Publishes every change until `shutdown`, and then `NOT_SERVING`. Returns what `shutdown`
    /// returned.
    pub(crate) async fn publish_until<T>(
        mut self,
        reporter: HealthReporter,
        shutdown: impl Future<Output = T>,
    ) -> T {
        let is_ending = Arc::clone(&self.is_ending);
        let changes = async {
            loop {
                self.publish(&reporter).await;
                tokio::select! {
                    changed = self.sandboxes.changed() => if changed.is_err() { break },
                    changed = self.store.changed() => if changed.is_err() { break },
                }
            }
            // What the service depends on has ended.
            set(&reporter, ServingStatus::NotServing).await;
            std::future::pending::<Infallible>().await
        };
        let asked = tokio::select! {
            asked = shutdown => asked,
            never = changes => match never {},
        };
        is_ending.store(true, Ordering::Relaxed);
        set(&reporter, ServingStatus::NotServing).await;
        asked
    }
}

async fn set(reporter: &HealthReporter, status: ServingStatus) {
    for name in NAMES {
        reporter.set_service_status(name, status).await;
    }
}
