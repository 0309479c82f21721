//! The arguments of `worker` and `fleet`.

use crate::args::value::duration;
use crate::args::{ResultFormat, SandboxArgs};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use profiler_server::Config;
use profiler_server::config::Settings;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Time that the runs of a worker have to end by default.
const DRAIN: Duration = Duration::from_secs(30);

/// The engine of a fleet, and the credentials for it.
#[derive(Debug, Clone, Args)]
pub(crate) struct EngineArgs {
    /// Engine of the fleet: nats://HOST:PORT, separated by commas
    #[arg(long, value_name = "URL", env = "PROFILER_FLEET_URL")]
    pub(crate) fleet: String,
    /// File with the seed of the nkey that this process shows the engine
    #[arg(long, value_name = "FILE", env = "PROFILER_FLEET_NKEY")]
    pub(crate) fleet_nkey: Option<PathBuf>,
    /// Authority that signed the engine's certificate, in PEM
    #[arg(long, value_name = "FILE", env = "PROFILER_FLEET_CA")]
    pub(crate) fleet_ca: Option<PathBuf>,
}

impl EngineArgs {
    /// Returns the credentials for the engine.
    pub(crate) fn credentials(&self) -> profiler_fleet::Credentials {
        profiler_fleet::Credentials { nkey: self.fleet_nkey.clone(), ca: self.fleet_ca.clone() }
    }
}

/// A worker. Options without a default override settings.
#[derive(Debug, Clone, Args)]
pub(crate) struct WorkerArgs {
    /// Engine of the fleet: nats://HOST:PORT, separated by commas
    #[arg(long, value_name = "URL")]
    fleet: Option<String>,
    /// File with the seed of the nkey that this process shows the engine
    #[arg(long, value_name = "FILE")]
    fleet_nkey: Option<String>,
    /// Authority that signed the engine's certificate, in PEM
    #[arg(long, value_name = "FILE")]
    fleet_ca: Option<String>,
    /// Settings in TOML, as those of serve; environment variables override them
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Check the settings, print each with its source, and start nothing
    #[arg(long)]
    pub(crate) check_config: bool,
    /// Name of this host in reports [default: the kernel's]
    #[arg(long, value_name = "NAME", env = "PROFILER_HOST")]
    pub(crate) host: Option<String>,
    /// Runs that are measured at the same time, each on a core of its own [default: concurrency]
    #[arg(long, value_name = "N")]
    cores: Option<NonZeroUsize>,
    /// Time limit for runs to end after SIGTERM; then other workers measure them [default:
    /// `drain_sec`, or 30s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    drain: Option<Duration>,
    /// Address where Prometheus reads metrics, without authentication: IP:PORT
    #[arg(long, value_name = "ADDR")]
    metrics: Option<String>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

impl WorkerArgs {
    /// Returns the options that override settings, each with its text.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        let given = [
            ("--fleet", &self.fleet),
            ("--fleet-nkey", &self.fleet_nkey),
            ("--fleet-ca", &self.fleet_ca),
            ("--metrics", &self.metrics),
        ];
        given.into_iter().filter_map(|(option, text)| Some((option, text.clone()?))).collect()
    }

    /// Returns the number of cores on which the worker measures.
    pub(crate) fn cores(&self, config: &Config) -> usize {
        self.cores.map_or(config.concurrency, NonZeroUsize::get)
    }

    /// Returns the time for runs to end. A server's default would be too short for most runs.
    pub(crate) fn drain(&self, settings: &Settings, config: &Config) -> Duration {
        let set = settings.has("drain_sec").then(|| config.drain_limit());
        self.drain.or(set).unwrap_or(DRAIN)
    }
}

/// Parts of a fleet to show, or an order to its workers.
#[derive(Debug, Clone, Args)]
pub(crate) struct FleetArgs {
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// End the workers of a host, as SIGTERM does; needs the key of a gateway
    #[arg(
        long,
        value_name = "HOST",
        value_parser = NonEmptyStringValueParser::new(),
        conflicts_with_all = ["pause", "resume"]
    )]
    pub(crate) drain: Option<String>,
    /// Let the workers of a pool take no jobs until --resume; needs the key of a gateway
    #[arg(
        long,
        value_name = "POOL",
        value_parser = NonEmptyStringValueParser::new(),
        conflicts_with = "resume"
    )]
    pub(crate) pause: Option<String>,
    /// Let the workers of a paused pool take jobs again; needs the key of a gateway
    #[arg(long, value_name = "POOL", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) resume: Option<String>,
    /// Show one pool, with all of its hosts
    #[arg(long, value_name = "POOL", conflicts_with_all = ["drain", "pause", "resume"])]
    pub(crate) pool: Option<String>,
    /// Format of the answer; on a terminal, a table is refreshed until Ctrl-C
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ResultFormat,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Command;

    /// An order without a host or a pool is for all workers.
    #[test]
    fn empty_name_is_no_order_to_all_workers() {
        let parse = |option: &str, name: &str| {
            let words = ["fleet", "--fleet", "nats://a", option, name].map(String::from);
            FleetArgs::augment_args(Command::new("fleet")).try_get_matches_from(words)
        };
        for option in ["--drain", "--pause", "--resume"] {
            assert!(parse(option, "a").is_ok() && parse(option, "").is_err(), "{option}");
        }
    }
}
