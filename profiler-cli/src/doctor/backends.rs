//! Whether each backend works, found out by starting a sandbox.

use crate::args::{self, SandboxArgs};
use crate::sandbox;
use profiler_core::error::SandboxFault;
use sandbox_image::DEFAULT_TAG;

/// One backend on this host.
#[derive(Debug, serde::Serialize)]
pub(super) struct Backend {
    pub(super) name: &'static str,
    /// Whether a sandbox could be started.
    pub(super) works: bool,
    /// Why not, where it could not.
    pub(super) problem: Option<String>,
    /// What it cannot enforce here, one sentence each.
    pub(super) not_enforced: Vec<String>,
}

/// Tries every backend.
pub(super) async fn examine() -> Vec<Backend> {
    let mut tried = Vec::new();
    for (name, backend) in [("docker", args::Backend::Docker), ("native", args::Backend::Native)] {
        tried.push(found(name, not_enforced(backend).await));
    }
    tried
}

fn found(name: &'static str, tried: Result<Vec<String>, SandboxFault>) -> Backend {
    Backend {
        name,
        works: tried.is_ok(),
        problem: tried.as_ref().err().map(ToString::to_string),
        not_enforced: tried.unwrap_or_default(),
    }
}

/// Starts a sandbox, which ends with this function; a daemon or a kernel that only looks able is
/// found out this way alone.
async fn not_enforced(backend: args::Backend) -> Result<Vec<String>, SandboxFault> {
    let args = SandboxArgs { backend, image: DEFAULT_TAG.into() };
    let backend = sandbox::select(&args, |_| {}).await?.backend;
    let _sandbox = backend.start().await?;
    Ok(backend.not_enforced())
}
