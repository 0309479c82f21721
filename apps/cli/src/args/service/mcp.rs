//! The arguments of `mcp`.

use crate::args::{CredentialArgs, SandboxArgs};
use clap::Args;
use profiler_mcp::DEFAULT_ANSWER_LIMIT;

/// Maximum time in which a tool answers, in seconds.
const MAX_ANSWER_SEC: u64 = 3_600;

/// The service that the tools use.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {
    /// Use this server instead of a sandbox on this host: https://HOST:PORT, http://HOST:PORT or
    /// unix:PATH
    #[arg(long, value_name = "URL", conflicts_with_all = ["backend", "image"])]
    pub(crate) endpoint: Option<String>,
    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Seconds in which a tool answers; if its run continues, the answer is a handle
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_ANSWER_LIMIT.as_secs())]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=MAX_ANSWER_SEC))]
    pub(crate) answer_within: u64,
}
