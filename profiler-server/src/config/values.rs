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

/// How long health says `NOT_SERVING` before no run is accepted, after SIGTERM.
pub const DRAIN_GRACE: Duration = Duration::ZERO;
/// How long live runs may take to end after that.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(10);
/// Runs that run at the same time. More than one would disturb each other.
pub const CONCURRENCY: usize = 1;
/// Most runs that wait.
pub const MAX_QUEUED: usize = 16;
/// Most ended runs that are kept.
pub const RETAINED_RUNS: u32 = 1000;
/// Most mebibytes of events of ended runs that are kept.
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
    /// Most runs that wait.
    pub max_queued: usize,
    /// How long health says `NOT_SERVING` before no run is accepted, after SIGTERM, in seconds.
    pub drain_grace_sec: f64,
    /// How long live runs may take to end after that, in seconds.
    pub drain_sec: f64,
    /// The folder of the store; by default the [user's
    /// own](profiler_core::sandbox::user_folders::state). Each server needs a folder of its own.
    pub state_dir: Option<PathBuf>,
    /// The least severe level that is logged.
    pub log_level: LogLevel,
    /// The form of the log.
    pub log_format: LogFormat,
    /// Where Prometheus reads the metrics; nowhere by default.
    pub metrics: Option<SocketAddr>,
    /// The engine of a fleet.
    pub fleet: Fleet,
    /// How much of the ended runs is kept.
    pub retention: Retention,
    /// What one caller may have.
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

/// How much of the ended runs is kept. The oldest are deleted first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Retention {
    /// Most ended runs.
    pub runs: u32,
    /// Most mebibytes of their events.
    pub mb: u64,
    /// Most days since a run ended; without it runs may have any age.
    pub days: Option<u32>,
}

/// What one caller may have. What is absent has no bound.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Quota {
    /// Most runs that run or wait.
    pub live_runs: Option<usize>,
    /// Most runs that wait.
    pub queued_runs: Option<usize>,
    /// Most seconds that its runs take in any hour, from the turn of each on.
    pub hour_sec: Option<f64>,
    /// Mebibytes of events from which on no run is accepted.
    pub kept_mb: Option<u64>,
    /// Most seconds that a run takes, from its turn on.
    pub run_sec: Option<f64>,
}

impl Quota {
    /// Most time that the runs of a caller take in any hour.
    pub(crate) fn hour(&self) -> Option<Duration> {
        self.hour_sec.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }

    /// Most time that a run takes.
    pub(crate) fn run(&self) -> Option<Duration> {
        self.run_sec.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }

    /// What a caller hears of a run that has taken `limit`.
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
    /// How long health says `NOT_SERVING` before no run is accepted, after SIGTERM.
    pub fn drain_grace(&self) -> Duration {
        Duration::try_from_secs_f64(self.drain_grace_sec).unwrap_or(DRAIN_GRACE)
    }

    /// How long live runs may take to end after no more runs are accepted.
    pub fn drain_limit(&self) -> Duration {
        Duration::try_from_secs_f64(self.drain_sec).unwrap_or(DRAIN_LIMIT)
    }
}

/// Checks the values as the fields of an otherwise valid job, so requests and settings share the
/// same rules. Returns the key of a wrong setting, and what is wrong.
pub(super) fn check(defaults: &Defaults) -> Result<(), (&'static str, String)> {
    let mut draft =
        Draft { task_id: "settings".into(), source: b"int main() {}".into(), ..Draft::default() };
    defaults.apply(&mut draft);
    let Err(found) = Job::try_from(draft) else {
        return Ok(());
    };
    let setting = |field: &str| DEFAULTED.iter().find(|(prefix, _)| field.starts_with(prefix));
    let wrong = found.into_iter().find_map(|v| Some((setting(&v.field)?.1, v.problem)));
    wrong.map_or(Ok(()), Err)
}
