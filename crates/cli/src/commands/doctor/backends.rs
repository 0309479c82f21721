//! Whether each backend works, and how quiet it is, found out by starting a sandbox.

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
    pub(super) name: &'static str,
    /// Whether a sandbox could be started.
    pub(super) works: bool,
    /// Why not, where it could not; else why its noise could not be measured.
    pub(super) problem: Option<String>,
    /// What it cannot enforce here, one sentence each.
    pub(super) not_enforced: Vec<String>,
    /// What it makes of programs that always do the same.
    pub(super) noise: Option<Noise>,
}

/// Tries every backend, one after the other: they would be each other's noise.
pub(super) async fn examine(image: &str) -> Vec<Backend> {
    let mut tried = Vec::new();
    for (name, backend) in [("docker", args::Backend::Docker), ("native", args::Backend::Native)] {
        let mut found =
            Backend { name, works: false, problem: None, not_enforced: Vec::new(), noise: None };
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
    /// Starts a sandbox; a daemon or a kernel that only looks able is found out this way alone.
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
