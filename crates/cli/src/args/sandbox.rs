//! The arguments of a sandbox.

use super::Backend;
use clap::Args;
use sandbox_image::DEFAULT_TAG;

/// The heading of these arguments.
pub(crate) const SANDBOX: &str = "Sandbox";

/// The sandbox in which programs run.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = SANDBOX)]
pub(crate) struct SandboxArgs {
    /// Sandbox in which programs run
    #[arg(long, value_enum, default_value_t, value_name = "BACKEND")]
    pub(crate) backend: Backend,
    /// Image of the Docker sandbox
    #[arg(long, default_value = DEFAULT_TAG, value_name = "NAME:TAG", hide_short_help = true)]
    pub(crate) image: String,
}
