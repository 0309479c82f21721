//! Place where programs run: a sandbox of this host, or a server.

use super::choice::backend;
use clap::Args;
use profiler_core::sandbox::Choice;
use sandbox_image::DEFAULT_TAG;
use std::path::PathBuf;

/// Heading of these arguments in the help.
pub(crate) const SANDBOX: &str = "Sandbox";

/// The sandbox in which programs run.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = SANDBOX)]
pub(crate) struct SandboxArgs {
    /// Sandboxes to use
    #[arg(long, value_parser = backend(), default_value = "auto", value_name = "BACKEND")]
    pub(crate) backend: Choice,
    /// Image of the Docker sandbox
    #[arg(long, default_value = DEFAULT_TAG, value_name = "NAME:TAG", hide_short_help = true)]
    pub(crate) image: String,
}

/// Authorities to trust, and credentials to show the server. All files except the token's are in
/// PEM.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = SANDBOX)]
pub(crate) struct CredentialArgs {
    /// Authorities that may sign the server's certificate [default: the system's]
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    pub(crate) ca: Option<PathBuf>,
    /// Certificate to show the server
    #[arg(long, global = true, value_name = "FILE", requires = "key", hide_short_help = true)]
    pub(crate) cert: Option<PathBuf>,
    /// Key of that certificate
    #[arg(long, global = true, value_name = "FILE", requires = "cert", hide_short_help = true)]
    pub(crate) key: Option<PathBuf>,
    /// File with the token to show the server [default: the variable `SWIFTPROF_TOKEN`]
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    pub(crate) token_file: Option<PathBuf>,
}
