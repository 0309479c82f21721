//! `grpc.health.v1`: SERVING while sandboxes can be started and runs can be stored.

use crate::store::StoreHealth;
use profiler_core::error::SandboxFault;
use profiler_proto::v1::profiler_service_server::SERVICE_NAME;
use tokio::sync::watch;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

/// What a health check can name: the server as a whole, and the service.
const NAMES: [&str; 2] = ["", SERVICE_NAME];

/// The health of what the service depends on.
pub(crate) struct HealthMonitor {
    pub(crate) sandboxes: watch::Receiver<Result<(), SandboxFault>>,
    pub(crate) store: watch::Receiver<StoreHealth>,
}

impl HealthMonitor {
    /// Publishes the current health.
    pub(crate) async fn publish(&mut self, reporter: &HealthReporter) {
        let sandboxes = self.sandboxes.borrow_and_update().is_ok();
        let is_healthy = sandboxes && self.store.borrow_and_update().is_ok();
        let status = if is_healthy { ServingStatus::Serving } else { ServingStatus::NotServing };
        set(reporter, status).await;
    }

    /// Publishes every change until `shutdown`, and then `NOT_SERVING`.
    pub(crate) async fn publish_until(
        mut self,
        reporter: HealthReporter,
        shutdown: impl Future<Output = ()>,
    ) {
        tokio::pin!(shutdown);
        loop {
            self.publish(&reporter).await;
            tokio::select! {
                () = &mut shutdown => break,
                changed = self.sandboxes.changed() => if changed.is_err() { break },
                changed = self.store.changed() => if changed.is_err() { break },
            }
        }
        set(&reporter, ServingStatus::NotServing).await;
    }
}

async fn set(reporter: &HealthReporter, status: ServingStatus) {
    for name in NAMES {
        reporter.set_service_status(name, status).await;
    }
}
