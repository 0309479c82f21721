//! The settings: a TOML file, overridden by environment variables.
//!
//! In the file, names are in lower case (`max_queued = 4`). The table `[defaults]` holds the values
//! for requests that omit a field (`sandbox_timeout_sec = 2`). In the environment, names are in
//! upper case and begin with `PROFILER_`. The names in `DEFAULTED` have no prefix there.

mod identity;

pub use identity::{Identity, SocketMode};

use profiler_core::job::{Draft, Job};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{fs, io};
use tracing_subscriber::filter::LevelFilter;

/// How long live runs may take to end after a shutdown request.
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
    ("limits.timeout_ms", "sandbox_timeout_sec"),
    ("limits.memory_mb", "sandbox_mem_mb"),
    ("input_scales", "input_scales"),
    ("extra_corner_cases", "extra_corner_cases"),
    ("growth_share", "growth_share"),
];

/// The server's settings.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Runs that run at the same time. Each is measured on a core of its own. If there are fewer
    /// cores than runs, the runs take turns.
    pub concurrency: usize,
    /// Most runs that wait.
    pub max_queued: usize,
    /// How long live runs may take to end after a shutdown request, in seconds.
    pub drain_sec: f64,
    /// The folder of the store; by default the [user's
    /// own](profiler_core::sandbox::user_folders::state). Each server needs a folder of its own.
    pub state_dir: Option<PathBuf>,
    /// The least severe level that is logged.
    pub log_level: LogLevel,
    /// How much of the ended runs is kept.
    pub retention: Retention,
    /// What one caller may have.
    pub quota: Quota,
    /// TLS, and who may call.
    pub identity: Identity,
    /// The values for requests that omit a field.
    pub defaults: Defaults,
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

/// The values for requests that omit a field.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Defaults {
    /// Time limit of one run, in seconds.
    pub sandbox_timeout_sec: Option<f64>,
    /// Memory limit of one run, in MiB.
    pub sandbox_mem_mb: Option<u32>,
    /// The scales.
    pub input_scales: Option<Vec<u64>>,
    /// The sizes before the scales.
    pub extra_corner_cases: Option<Vec<u64>>,
    /// The share of a job's own time that counting for growth may take on top. No request has it.
    pub growth_share: Option<f64>,
}

/// The least severe level that is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct LogLevel(pub(crate) LevelFilter);

/// The settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("read settings from {}: {cause}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The file is not TOML, or has a setting that does not exist or has the wrong type.
    #[error("read settings from {}: {cause}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where and why.
        cause: Box<toml::de::Error>,
    },
    /// A value is not allowed.
    #[error("{setting}: {problem}")]
    Value {
        /// The setting, by its name in the file or in the environment.
        setting: String,
        /// What is wrong, and which values are allowed.
        problem: String,
    },
}

impl Default for Config {
    fn default() -> Self {
        Self {
            concurrency: CONCURRENCY,
            max_queued: MAX_QUEUED,
            drain_sec: DRAIN_LIMIT.as_secs_f64(),
            state_dir: None,
            log_level: LogLevel(LevelFilter::INFO),
            retention: Retention::default(),
            quota: Quota::default(),
            identity: Identity::default(),
            defaults: Defaults::default(),
        }
    }
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

    fn check(&self) -> Result<(), (&'static str, String)> {
        let counts = [("quota.live_runs", self.live_runs), ("quota.queued_runs", self.queued_runs)];
        if let Some((key, _)) = counts.into_iter().find(|(_, count)| *count == Some(0)) {
            return Err((key, "must be at least 1".into()));
        }
        if self.kept_mb == Some(0) {
            return Err(("quota.kept_mb", "must be at least 1".into()));
        }
        for (key, seconds) in [("quota.hour_sec", self.hour_sec), ("quota.run_sec", self.run_sec)] {
            let is_time =
                |seconds| Duration::try_from_secs_f64(seconds).is_ok_and(|time| !time.is_zero());
            if seconds.is_some_and(|seconds| !is_time(seconds)) {
                return Err((key, "must be a number of seconds above 0".into()));
            }
        }
        Ok(())
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self { runs: RETAINED_RUNS, mb: RETAINED_MB, days: None }
    }
}

impl Config {
    /// Reads the settings from `file`, if there is one, and overrides them with the variables that
    /// `env` returns.
    pub fn load(
        file: Option<&Path>,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        if let Some(path) = file {
            let read = |cause| ConfigError::Read { path: path.into(), cause };
            let syntax = |cause| ConfigError::Syntax { path: path.into(), cause: Box::new(cause) };
            config = toml::from_str(&fs::read_to_string(path).map_err(read)?).map_err(syntax)?;
            config.check(|key| format!("{key} in {}", path.display()))?;
        }
        let Self { concurrency, max_queued, drain_sec, state_dir, log_level, defaults, .. } =
            &mut config;
        override_from(&env, "PROFILER_CONCURRENCY", concurrency, parse_number)?;
        override_from(&env, "PROFILER_MAX_QUEUED", max_queued, parse_number)?;
        override_from(&env, "PROFILER_DRAIN_SEC", drain_sec, parse_number)?;
        override_from(&env, "PROFILER_STATE_DIR", state_dir, |text| Ok(Some(text.into())))?;
        override_from(&env, "LOG_LEVEL", log_level, str::parse)?;
        override_from(
            &env,
            "SANDBOX_TIMEOUT_SEC",
            &mut defaults.sandbox_timeout_sec,
            optional(parse_number),
        )?;
        override_from(
            &env,
            "SANDBOX_MEM_MB",
            &mut defaults.sandbox_mem_mb,
            optional(parse_number),
        )?;
        override_from(&env, "INPUT_SCALES", &mut defaults.input_scales, optional(parse_sizes))?;
        override_from(
            &env,
            "EXTRA_CORNER_CASES",
            &mut defaults.extra_corner_cases,
            optional(parse_sizes),
        )?;
        override_from(&env, "GROWTH_SHARE", &mut defaults.growth_share, optional(parse_number))?;
        config.check(|key| {
            let is_default = DEFAULTED.iter().any(|(_, setting)| *setting == key);
            let prefix = if is_default { "" } else { "PROFILER_" };
            format!("{prefix}{}", key.to_uppercase())
        })?;
        Ok(config)
    }

    /// How long live runs may take to end after a shutdown request.
    pub fn drain_limit(&self) -> Duration {
        Duration::try_from_secs_f64(self.drain_sec).unwrap_or(DRAIN_LIMIT)
    }

    /// Checks the values. `name` translates a key to the name in the file or the environment.
    fn check(&self, name: impl Fn(&str) -> String) -> Result<(), ConfigError> {
        let value = |key: &str, problem: String| ConfigError::Value { setting: name(key), problem };
        let counted = format!("must lie in 1..={MAX_RUNS}");
        for (key, count) in [("concurrency", self.concurrency), ("max_queued", self.max_queued)] {
            if !(1..=MAX_RUNS).contains(&count) {
                return Err(value(key, counted));
            }
        }
        if Duration::try_from_secs_f64(self.drain_sec).is_err() {
            return Err(value("drain_sec", "must be a number of seconds".into()));
        }
        let Retention { runs, mb, days } = self.retention;
        for (key, is_none) in [
            ("retention.runs", runs == 0),
            ("retention.mb", mb == 0),
            ("retention.days", days == Some(0)),
        ] {
            if is_none {
                // A watcher reads the last events of a run from the store.
                return Err(value(key, "must be at least 1".into()));
            }
        }
        self.quota.check().map_err(|(key, problem)| value(key, problem))?;
        self.identity.check().map_err(|(key, problem)| value(key, problem))?;
        self.defaults.check().map_err(|(key, problem)| value(key, problem))
    }
}

impl Defaults {
    /// Fills in the fields that a request omits. The runtime limit of a task replaces the default
    /// time limit.
    pub fn apply(&self, draft: &mut Draft) {
        if draft.runtime_limit_ms.is_none() {
            let default_ms = self.sandbox_timeout_sec.map(|seconds| seconds * 1000.0);
            draft.timeout_ms = draft.timeout_ms.or(default_ms);
        }
        draft.memory_mb = draft.memory_mb.or(self.sandbox_mem_mb);
        draft.growth_share = draft.growth_share.or(self.growth_share);
        let lists = &mut draft.sizes;
        if !lists.auto {
            lists.scales = lists.scales.take().or_else(|| self.input_scales.clone());
        }
        lists.corner_cases = lists.corner_cases.take().or_else(|| self.extra_corner_cases.clone());
    }

    /// Checks the values as the fields of an otherwise valid job, so requests and settings share
    /// the same rules.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let mut draft = Draft {
            task_id: "settings".into(),
            source: b"int main() {}".into(),
            ..Draft::default()
        };
        self.apply(&mut draft);
        let Err(found) = Job::try_from(draft) else {
            return Ok(());
        };
        let setting = |field: &str| DEFAULTED.iter().find(|(prefix, _)| field.starts_with(prefix));
        let wrong = found.into_iter().find_map(|v| Some((setting(&v.field)?.1, v.problem)));
        wrong.map_or(Ok(()), Err)
    }
}

impl FromStr for LogLevel {
    type Err = String;

    /// Accepts the names of Python's `logging` and those of `tracing`.
    fn from_str(text: &str) -> Result<Self, String> {
        let level = match text.to_ascii_lowercase().as_str() {
            "trace" => LevelFilter::TRACE,
            "debug" => LevelFilter::DEBUG,
            "info" => LevelFilter::INFO,
            "warn" | "warning" => LevelFilter::WARN,
            "error" | "critical" => LevelFilter::ERROR,
            "off" => LevelFilter::OFF,
            _ => return Err(format!("{text:?} is none of DEBUG, INFO, WARNING, ERROR")),
        };
        Ok(Self(level))
    }
}

impl TryFrom<String> for LogLevel {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// Replaces `setting` if the environment has the variable `name`.
fn override_from<T>(
    env: impl Fn(&str) -> Option<String>,
    name: &str,
    setting: &mut T,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<(), ConfigError> {
    if let Some(text) = env(name) {
        let wrong = |problem| ConfigError::Value { setting: name.into(), problem };
        *setting = parse(text.trim()).map_err(wrong)?;
    }
    Ok(())
}

fn optional<T>(
    parse: impl Fn(&str) -> Result<T, String>,
) -> impl Fn(&str) -> Result<Option<T>, String> {
    move |text| parse(text).map(Some)
}

fn parse_number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number in range"))
}

/// Parses `1000,5000`, also with spaces, and in brackets as Python writes a list. An empty text is
/// the empty list.
fn parse_sizes(text: &str) -> Result<Vec<u64>, String> {
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let parts = inner.unwrap_or(text).split(',').map(str::trim);
    parts.filter(|part| !part.is_empty()).map(parse_number).collect()
}
