//! The scene of every fault: a server, a watcher of its health, and runs.

use profiler_client::v1::{Job, ProfileReport, SandboxError};
use profiler_client::{Error, Run};
use profiler_proto::Word;
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tonic::Streaming;
use tonic::transport::Endpoint;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

/// The service's name for health checks.
const SERVICE: &str = "swiftsolve.profiler.v1.ProfilerService";
/// The time of a quick program.
const QUICK_MS: u32 = 10;
/// Longer than any run here takes, even on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The stream of a server's status by `grpc.health.v1`.
pub(crate) struct Health(Streaming<HealthCheckResponse>);

impl Health {
    pub(crate) async fn of(served: &Served) -> Self {
        let endpoint = Endpoint::from_shared(served.url().to_owned()).expect("an endpoint");
        let channel = endpoint.connect().await.expect("the server answers");
        let request = HealthCheckRequest { service: SERVICE.into() };
        let watch = HealthClient::new(channel).watch(request).await.expect("health is served");
        Self(watch.into_inner())
    }

    /// Waits for this status, and prints when it came.
    pub(crate) async fn until(&mut self, wanted: ServingStatus, since: Instant, within: Duration) {
        let said = async {
            while self.0.message().await.expect("health").expect("it goes on").status() != wanted {}
        };
        assert!(timeout(within, said).await.is_ok(), "not within {within:?}: {wanted:?}");
        println!("    {wanted:?} after {} ms", since.elapsed().as_millis());
    }
}

/// Waits until a run ends early, and prints when it did.
pub(crate) async fn error(run: Run, since: Instant, within: Duration) -> Box<SandboxError> {
    let ended = timeout(within, run.wait()).await;
    let Ok(Err(Error::Sandbox(error))) = ended else { panic!("not within {within:?}: {ended:?}") };
    println!(
        "    {}: {} after {} ms",
        error.code().word(),
        error.message,
        since.elapsed().as_millis()
    );
    error
}

/// Profiles a job to its end.
pub(crate) async fn report(served: &Served, job: Job) -> ProfileReport {
    let run = served.client().await.submit(job).await.expect("accepted");
    let ended = timeout(PATIENCE, Box::pin(run.wait())).await.expect("it ends");
    ended.expect("a report")
}

/// Checks that the next job works.
pub(crate) async fn works(served: &Served) {
    let report = report(served, jobs::computing_ms(QUICK_MS).0).await;
    assert!(report.runtime_ms.iter().all(|ms| ms.is_finite()), "{:?}", report.runtime_ms);
}
