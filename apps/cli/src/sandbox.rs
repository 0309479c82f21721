//! Selection of a backend by the arguments of a sandbox.

use crate::args::{Backend, SandboxArgs};
use crate::stderr::tell;
use profiler_core::cancel::Termination;
use profiler_core::error::SandboxFault;
use profiler_core::sandbox::{self, Choice, Instance, Selected};
use std::sync::{Arc, OnceLock};

/// The backend of this process.
static SELECTED: OnceLock<Arc<dyn sandbox::Backend>> = OnceLock::new();

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
    let selected = choice.select(&args.image, instance, progress).await?;
    SELECTED.get_or_init(|| selected.backend.clone());
    Ok(selected)
}

/// Precompiles what makes later runs on this backend faster, once the result of this one has been
/// printed. Ctrl-C ends this and nothing else.
pub(crate) async fn precompile() {
    let (Some(backend), Ok(mut termination)) = (SELECTED.get(), Termination::listen()) else {
        return;
    };
    let progress = &mut |line: &str| tell(format_args!("{line}; Ctrl-C skips this"));
    tokio::select! {
        () = backend.precompile(progress) => {}
        _ = termination.asked() => {}
    }
}

/// Precompiles what makes later runs faster, while a service works.
#[cfg(feature = "service")]
pub(crate) fn precompile_meanwhile() {
    tokio::spawn(async {
        let progress = &mut |line: &str| tracing::info!(target: "Profiler", "{line}");
        if let Some(backend) = SELECTED.get() {
            backend.precompile(progress).await;
        }
    });
}
