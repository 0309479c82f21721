//! The values of the settings, as the server reads them.

use super::identity::Identity;
use super::level::LogLevel;
use super::log_format::LogFormat;
use profiler_core::job::{Draft, Job};
use profiler_wire::Defaults;
use serde::Deserialize;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Time from SIGTERM until no run is accepted. Health says `NOT_SERVING` during it.
pub const DRAIN_GRACE: Duration = Duration::ZERO;
/// Maximum time for live runs to end after that.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(10);
/// Runs that run at the same time. More than one would disturb each other.
pub const CONCURRENCY: usize = 1;
/// Maximum number of waiting runs.
pub const MAX_QUEUED: usize = 16;
/// Maximum number of ended runs that are kept.
pub const RETAINED_RUNS: u32 = 1000;
/// Maximum size of the kept events of ended runs, in mebibytes.
pub const RETAINED_MB: u64 = 256;
/// The maximum of both counts.
pub const MAX_RUNS: usize = 1024;

/// The fields of a job that have a default, and the setting of each.
const DEFAULTED: [(&str, &str); 5] = [
    ("limits.timeout_ms", "defaults.sandbox_timeout_sec"),
    ("limits.memory_mb", "defaults.sandbox_mem_mb"),
    ("input_scales", "defaults.input_scales"),
    ("extra_corner_cases", "defaults.extra_corner_cases"),
    ("growth_share", "defaults.growth_share"),
];

/// The server's settings. [`SETTINGS`](super::SETTINGS) has the range of each.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Runs that run at the same time. Each is measured on a core of its own. If there are fewer
    /// cores than runs, the runs take turns.
    pub concurrency: usize,
    /// Maximum number of waiting runs.
    pub max_queued: usize,
    /// Time from SIGTERM until no run is accepted, in seconds. Health says `NOT_SERVING` during it.
    pub drain_grace_sec: f64,
    /// Maximum time for live runs to end after that, in seconds.
    pub drain_sec: f64,
    /// The folder of the store; by default the [user's
    /// own](profiler_core::sandbox::user_folders::state). Each server needs a folder of its own.
    pub state_dir: Option<PathBuf>,
    /// The least severe level that is logged.
    pub log_level: LogLevel,
    /// The form of the log.
    pub log_format: LogFormat,
    /// Address at which Prometheus reads the metrics; none by default.
    pub metrics: Option<SocketAddr>,
    /// The engine of a fleet.
    pub fleet: Fleet,
    /// Limits on the ended runs that are kept.
    pub retention: Retention,
    /// Limits on one caller.
    pub quota: Quota,
    /// TLS, and who may call.
    pub identity: Identity,
    /// The values for requests that omit a field.
    pub defaults: Defaults,
}

/// The engine of a fleet, and how this process proves who it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fleet {
    /// The addresses of its servers; a server without one measures by itself.
    pub url: Option<String>,
    /// The file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// The authority in PEM that signed the certificate of the engine.
    pub ca: Option<PathBuf>,
}

/// Limits on the ended runs that are kept. The oldest are deleted first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Retention {
    /// Maximum number of ended runs.
    pub runs: u32,
    /// Maximum size of their events, in mebibytes.
    pub mb: u64,
    /// Maximum number of days since a run ended; without it runs may have any age.
    pub days: Option<u32>,
}

/// Limits on one caller. An absent limit is no bound.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Quota {
    /// Maximum number of runs that run or wait.
    pub live_runs: Option<usize>,
    /// Maximum number of waiting runs.
    pub queued_runs: Option<usize>,
    /// Maximum time that its runs take in any hour, from the turn of each on, in seconds.
    pub hour_sec: Option<f64>,
    /// Mebibytes of events from which on no run is accepted.
    pub kept_mb: Option<u64>,
    /// Maximum time that a run takes, from its turn on, in seconds.
    pub run_sec: Option<f64>,
}

impl Quota {
    /// Returns the maximum time that the runs of a caller take in any hour.
    pub(crate) fn hour(&self) -> Option<Duration> {
        self.hour_sec.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }

    /// Returns the maximum time that a run takes.
    pub(crate) fn run(&self) -> Option<Duration> {
        self.run_sec.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }

    /// Returns the message to the caller of a run that has taken `limit`.
    pub(crate) fn run_passed(limit: Duration) -> String {
        format!("quota run_sec: a run may take {} s from its turn on", limit.as_secs_f64())
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self { runs: RETAINED_RUNS, mb: RETAINED_MB, days: None }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            concurrency: CONCURRENCY,
            max_queued: MAX_QUEUED,
            drain_grace_sec: DRAIN_GRACE.as_secs_f64(),
            drain_sec: DRAIN_LIMIT.as_secs_f64(),
            state_dir: None,
            log_level: LogLevel::default(),
            log_format: LogFormat::default(),
            metrics: None,
            fleet: Fleet::default(),
            retention: Retention::default(),
            quota: Quota::default(),
            identity: Identity::default(),
            defaults: Defaults::default(),
        }
    }
}

impl Config {
    /// Returns the time from SIGTERM until no run is accepted. Health says `NOT_SERVING` during it.
    pub fn drain_grace(&self) -> Duration {
        Duration::try_from_secs_f64(self.drain_grace_sec).unwrap_or(DRAIN_GRACE)
    }

    /// Returns the maximum time for live runs to end after no more runs are accepted.
    pub fn drain_limit(&self) -> Duration {
        Duration::try_from_secs_f64(self.drain_sec).unwrap_or(DRAIN_LIMIT)
    }
}

/// Checks the values as the fields of an otherwise valid job, so requests and settings share the
/// same rules. Returns the key of a wrong setting, and what is wrong.
pub(super) fn check(defaults: &Defaults) -> Result<(), (&'static str, String)> {
    let mut draft = Draft::new("settings", b"int main() {}");
    defaults.apply(&mut draft);
    let Err(found) = Job::try_from(draft) else {
        return Ok(());
    };
    let setting = |field: &str| DEFAULTED.iter().find(|(prefix, _)| field.starts_with(prefix));
    let wrong = found.into_iter().find_map(|v| Some((setting(&v.field)?.1, v.problem)));
    wrong.map_or(Ok(()), Err)
}
