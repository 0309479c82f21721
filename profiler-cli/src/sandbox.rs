//! From the `--backend` argument to a backend.

use crate::args::Backend;
use profiler_core::error::SandboxFault;
use profiler_core::sandbox::{Choice, Selected};

/// The backend that serves here, and why it is the one.
pub(crate) async fn select(backend: Backend) -> Result<Selected, SandboxFault> {
    let choice = match backend {
        Backend::Auto => Choice::Auto,
        Backend::Docker => Choice::Docker,
        Backend::Native => Choice::Native,
    };
    choice.select().await
}
