//! Starts a sandbox of each backend, to find out whether it works and how noisy it is.

use super::noise::{self, Noise};
use profiler_core::error::SandboxFault;
use profiler_core::measure::BenchSession;
use profiler_core::sandbox::native::Native;
use profiler_core::sandbox::{self, Choice, Cores, Instance};
use std::sync::Arc;

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

/// Tries the backends one after the other, because they would disturb each other. `native` is the
/// backend that moves no process.
pub(super) async fn examine(image: &str, native: Result<Native, SandboxFault>) -> Vec<Backend> {
    let native = native.map(|it| Arc::new(it) as Arc<dyn sandbox::Backend>);
    let mut examined = Vec::new();
    for choice in Choice::ALL.into_iter().filter(|choice| *choice != Choice::Auto) {
        let backend = if choice == Choice::Native {
            native.clone()
        } else {
            choice.select(image, Instance::fresh(), |_| {}).await.map(|it| it.backend)
        };
        examined.push(Backend::examine(choice.name(), backend).await);
    }
    examined
}

impl Backend {
    async fn examine(
        code: &'static str,
        backend: Result<Arc<dyn sandbox::Backend>, SandboxFault>,
    ) -> Self {
        let mut found =
            Self { code, works: false, problem: None, not_enforced: Vec::new(), noise: None };
        let tried = match backend {
            Ok(backend) => found.try_out(backend.as_ref()).await,
            Err(fault) => Err(fault),
        };
        match tried {
            Ok(noise) => found.noise = Some(noise),
            Err(fault) => found.problem = Some(fault.to_string()),
        }
        found
    }

    /// Starts a sandbox and looks for the tools of a job in it. Nothing less proves that a daemon
    /// or a kernel is suitable.
    async fn try_out(&mut self, backend: &dyn sandbox::Backend) -> Result<Noise, SandboxFault> {
        backend.precompile(&mut |_| {}).await;
        let mut trial = BenchSession::start(backend, Cores::of_this_host(1).as_ref()).await?;
        self.works = true;
        self.not_enforced = backend.not_enforced();
        let noise = noise::measure(&mut trial).await;
        trial.end().await;
        noise
    }
}
