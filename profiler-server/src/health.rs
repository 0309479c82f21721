//! `grpc.health.v1`: serving while sandboxes can be started and runs can be kept.

use crate::store;
use profiler_core::error::SandboxFault;
use profiler_proto::v1::profiler_service_server::SERVICE_NAME;
use tokio::sync::watch;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

/// What a health check can ask for: the server as a whole, and the service.
const NAMES: [&str; 2] = ["", SERVICE_NAME];

/// What the service cannot do without.
pub(crate) struct Health {
    pub(crate) sandboxes: watch::Receiver<Result<(), SandboxFault>>,
    pub(crate) store: watch::Receiver<store::Health>,
}

impl Health {
    /// Says how things are.
    pub(crate) async fn tell(&mut self, reporter: &HealthReporter) {
        let is_well =
            self.sandboxes.borrow_and_update().is_ok() && self.store.borrow_and_update().is_ok();
        let status = if is_well { ServingStatus::Serving } else { ServingStatus::NotServing };
        set(reporter, status).await;
    }

    /// Says how things are whenever that changes, until `closing` is done; from then on the service
    /// does not serve.
    pub(crate) async fn report(
        mut self,
        reporter: HealthReporter,
        closing: impl Future<Output = ()>,
    ) {
        tokio::pin!(closing);
        loop {
            self.tell(&reporter).await;
            tokio::select! {
                () = &mut closing => break,
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
