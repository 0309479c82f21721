//! From the arguments that say where programs run to a backend.

use crate::args::{Backend, SandboxArgs};
use profiler_core::error::SandboxFault;
use profiler_core::sandbox::{Choice, Instance, Selected};

/// The backend that serves `instance` here, and why it is the one. If the image must be made for it, `progress`
/// gets what Docker says.
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
