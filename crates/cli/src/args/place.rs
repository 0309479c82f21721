//! Where programs run: in a sandbox of this host, or on a server, and whom a server answers.

use super::Backend;
use clap::Args;
use profiler_server::config::SocketMode;
use sandbox_image::DEFAULT_TAG;
use std::path::PathBuf;

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

/// Which servers are trusted, and what a server is shown. All files but the token's are in PEM.
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

/// Whom a server answers. Each overrides its setting in the table `[identity]`.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Identity")]
pub(crate) struct IdentityArgs {
    /// Certificate of the server with its chain, in PEM; TCP then has TLS
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_cert: Option<PathBuf>,
    /// Key of that certificate, in PEM
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_key: Option<PathBuf>,
    /// Authorities whose client certificates name callers, in PEM
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_client_ca: Option<PathBuf>,
    /// Tokens that name callers: [[tokens]] in TOML, or lines NAME:SHA256
    #[arg(long, value_name = "FILE")]
    pub(crate) tokens: Option<PathBuf>,
    /// Serve other hosts although their callers show no identity, or show it in plain text
    #[arg(long)]
    pub(crate) insecure: bool,
    /// Permissions of a socket file, in octal [default: 0660]
    #[arg(long, value_name = "MODE")]
    pub(crate) socket_mode: Option<SocketMode>,
    /// Group of a socket file, by its name or number
    #[arg(long, value_name = "GROUP")]
    pub(crate) socket_group: Option<String>,
}

impl IdentityArgs {
    /// Each option, and its text if it was given.
    pub(crate) fn texts(&self) -> [(&'static str, Option<String>); 7] {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        [
            ("--tls-cert", path(&self.tls_cert)),
            ("--tls-key", path(&self.tls_key)),
            ("--tls-client-ca", path(&self.tls_client_ca)),
            ("--tokens", path(&self.tokens)),
            ("--insecure", self.insecure.then(|| true.to_string())),
            ("--socket-mode", self.socket_mode.map(|mode| mode.to_string())),
            ("--socket-group", self.socket_group.clone()),
        ]
    }
}
