//! Starts a sandbox of each backend, to find out whether it works and how noisy it is.

use super::noise::{self, Noise};
use crate::args::{self, SandboxArgs};
use crate::sandbox;
use profiler_core::error::SandboxFault;
use profiler_core::measure::BenchSession;
use profiler_core::sandbox::native::Native;
use profiler_core::sandbox::{self as sandboxes, Cores, Instance};

/// One backend on this host.
#[derive(Debug, serde::Serialize)]
pub(super) struct Backend {
    pub(super) code: &'static str,
    /// Whether a sandbox starts, and jobs can run in it.
    pub(super) works: bool,
    /// Reason why it does not work, or why its noise could not be measured.
    pub(super) problem: Option<String>,
    /// Limits and rules that it cannot enforce on this host, one sentence each.
    pub(super) not_enforced: Vec<String>,
    /// The noise of repeated measurements.
    pub(super) noise: Option<Noise>,
}

/// Tries the backends one after the other, because they would disturb each other.
pub(super) async fn examine(image: &str, native: Result<Native, SandboxFault>) -> Vec<Backend> {
    let args = SandboxArgs { backend: args::Backend::Docker, image: image.into() };
    let docker = sandbox::select(&args, Instance::fresh(), |_| {}).await;
    let docker = Backend::examine("docker", docker.as_ref().map(|it| &*it.backend)).await;
    if let Ok(native) = &native {
        sandboxes::Backend::precompile(native, &mut |_| {}).await;
    }
    let native = native.as_ref().map(|it| it as &dyn sandboxes::Backend);
    vec![docker, Backend::examine("native", native).await]
}

impl Backend {
    async fn examine(
        code: &'static str,
        backend: Result<&dyn sandboxes::Backend, &SandboxFault>,
    ) -> Self {
        let mut found =
            Self { code, works: false, problem: None, not_enforced: Vec::new(), noise: None };
        let tried = match backend {
            Ok(backend) => found.try_out(backend).await,
            Err(fault) => Err(fault.clone()),
        };
        match tried {
            Ok(noise) => found.noise = Some(noise),
            Err(fault) => found.problem = Some(fault.to_string()),
        }
        found
    }

    /// Starts a sandbox and looks for the tools of a job in it. Nothing less proves that a daemon
    /// or a kernel is suitable.
    async fn try_out(&mut self, backend: &dyn sandboxes::Backend) -> Result<Noise, SandboxFault> {
        let mut trial = BenchSession::start(backend, Cores::of_this_host(1).as_ref()).await?;
        self.works = true;
        self.not_enforced = backend.not_enforced();
        let noise = noise::measure(&mut trial).await;
        trial.end().await;
        noise
    }
}
