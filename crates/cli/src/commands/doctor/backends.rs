//! Starts a sandbox of each backend, to find out whether it works and how noisy it is.

use super::code::Code;
use super::noise::{self, Noise};
use crate::args::{self, SandboxArgs};
use crate::sandbox;
use profiler_core::error::SandboxFault;
use profiler_core::measure::BenchSession;
use profiler_core::sandbox::Cores;
use profiler_core::sandbox::Instance;

/// One backend on this host.
#[derive(Debug, serde::Serialize)]
pub(super) struct Backend {
    pub(super) code: Code,
    /// Whether a sandbox starts.
    pub(super) works: bool,
    /// Why no sandbox starts, or why its noise could not be measured.
    pub(super) problem: Option<String>,
    /// What it cannot enforce on this host, one sentence each.
    pub(super) not_enforced: Vec<String>,
    /// The noise of repeated measurements.
    pub(super) noise: Option<Noise>,
}

/// Tries the backends one after the other, because they would disturb each other.
pub(super) async fn examine(image: &str) -> Vec<Backend> {
    let mut tried = Vec::new();
    for (code, backend) in
        [(Code::Docker, args::Backend::Docker), (Code::Native, args::Backend::Native)]
    {
        let mut found =
            Backend { code, works: false, problem: None, not_enforced: Vec::new(), noise: None };
        let args = SandboxArgs { backend, image: image.into() };
        match found.examine(&args).await {
            Ok(noise) => found.noise = Some(noise),
            Err(fault) => found.problem = Some(fault.to_string()),
        }
        tried.push(found);
    }
    tried
}

impl Backend {
    /// Starts a sandbox. Nothing else proves that a daemon or a kernel is suitable.
    async fn examine(&mut self, args: &SandboxArgs) -> Result<Noise, SandboxFault> {
        let backend = sandbox::select(args, Instance::fresh(), |_| {}).await?.backend;
        let mut trial = BenchSession::start(&*backend, Cores::of_this_host(1).as_ref()).await?;
        self.works = true;
        self.not_enforced = backend.not_enforced();
        let noise = noise::measure(&mut trial).await;
        trial.end().await;
        noise
    }
}
