//! The arguments of `serve`.

use crate::args::SandboxArgs;
use crate::args::value::duration;
use clap::Args;
use profiler_server::config::SocketMode;
use profiler_server::{Address, LogFormat};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The address that `serve` listens on by default. Only this machine can reach it.
pub(super) const DEFAULT_LISTEN: &str = "127.0.0.1:50051";

/// A server, and the settings that override those of its file.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on, IP:PORT, localhost:PORT or unix:PATH; several may be given
    #[arg(long, default_value = DEFAULT_LISTEN, value_name = "ADDR")]
    pub(crate) listen: Vec<Address>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Settings in TOML; environment variables override them
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Folder of the runs [default: root's /var/lib/swiftprof, else ~/.local/state/swiftprof]
    #[arg(long, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,
    /// Time from SIGTERM, with health `NOT_SERVING`, until runs are refused [default: 0 s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) drain_grace: Option<Duration>,
    /// Check the settings, print what holds and where it comes from, and start nothing
    #[arg(long)]
    pub(crate) check_config: bool,
    #[command(flatten)]
    pub(crate) telemetry: TelemetryArgs,
    #[command(flatten)]
    pub(crate) identity: IdentityArgs,
    #[command(flatten)]
    pub(crate) gateway: GatewayArgs,
}

/// Options for what an operator sees of a server. Each overrides its setting.
#[derive(Debug, Clone, Args)]
pub(crate) struct TelemetryArgs {
    /// Address where Prometheus reads metrics, without authentication: IP:PORT
    #[arg(long, value_name = "ADDR")]
    pub(crate) metrics: Option<SocketAddr>,
    /// Form of the log: json or text [default: text]
    #[arg(long, value_name = "FORM")]
    pub(crate) log_format: Option<LogFormat>,
}

/// Callers that a server answers. Each overrides its setting in the table `[identity]`.
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
    /// Tokens that name callers, in TOML or as lines NAME:SHA256
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

/// The fleet whose gateway a server is. Each overrides its setting in the table `[fleet]`.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Fleet")]
pub(crate) struct GatewayArgs {
    /// Engine of a fleet, nats://HOST:PORT, several with commas; workers measure, not this server
    #[arg(long, value_name = "URL")]
    pub(crate) fleet: Option<String>,
    /// File with the seed of the nkey that this process shows the engine
    #[arg(long, value_name = "FILE")]
    pub(crate) fleet_nkey: Option<PathBuf>,
    /// Authority that signed the engine's certificate, in PEM
    #[arg(long, value_name = "FILE")]
    pub(crate) fleet_ca: Option<PathBuf>,
}

impl GatewayArgs {
    /// Each option, and its text if it was given.
    pub(crate) fn texts(&self) -> [(&'static str, Option<String>); 3] {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        [
            ("--fleet", self.fleet.clone()),
            ("--fleet-nkey", path(&self.fleet_nkey)),
            ("--fleet-ca", path(&self.fleet_ca)),
        ]
    }
}
