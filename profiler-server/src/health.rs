//! `grpc.health.v1`: serving while sandboxes can be started.

use profiler_core::error::SandboxFault;
use profiler_proto::v1::profiler_service_server::SERVICE_NAME;
use tokio::sync::watch;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

/// What a health check can ask for: the server as a whole, and the service.
const NAMES: [&str; 2] = ["", SERVICE_NAME];

/// Says how the pool is before anybody can ask.
pub(crate) async fn begin(
    reporter: &HealthReporter,
    health: &watch::Receiver<Result<(), SandboxFault>>,
) {
    let status = status(&health.borrow());
    set(reporter, status).await;
}

/// Passes the pool's health on until `closing` is done; from then on the service does not serve.
pub(crate) async fn report(
    reporter: HealthReporter,
    mut health: watch::Receiver<Result<(), SandboxFault>>,
    closing: impl Future<Output = ()>,
) {
    tokio::pin!(closing);
    loop {
        let status = status(&health.borrow_and_update());
        set(&reporter, status).await;
        tokio::select! {
            () = &mut closing => break,
            changed = health.changed() => if changed.is_err() { break },
        }
    }
    set(&reporter, ServingStatus::NotServing).await;
}

fn status(health: &Result<(), SandboxFault>) -> ServingStatus {
    match health {
        Ok(()) => ServingStatus::Serving,
        Err(_) => ServingStatus::NotServing,
    }
}

async fn set(reporter: &HealthReporter, status: ServingStatus) {
    for name in NAMES {
        reporter.set_service_status(name, status).await;
    }
}
