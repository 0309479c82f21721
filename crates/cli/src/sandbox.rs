//! Selection of a backend by the arguments of a sandbox.

use crate::args::{Backend, SandboxArgs};
use profiler_core::error::SandboxFault;
use profiler_core::sandbox::{Choice, Instance, Selected};

/// Selects a backend for `instance` and gives the reason. If the image must be built first,
/// `progress` gets the lines of Docker's output.
pub(crate) async fn select(
    args: &SandboxArgs,
    instance: Instance,
    progress: impl FnMut(&str) + Send,
) -> Result<Selected, SandboxFault> {
    let choice = match args.backend {
        Backend::Auto => Choice::Auto,
        Backend::Docker => Choice::Docker,
        Backend::Native => Choice::Native,
    };
    choice.select(&args.image, instance, progress).await
}
