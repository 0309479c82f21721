//! Settings: a TOML file, and the environment over it.
//!
//! In the file they stand under their names in lower case (`max_queued = 4`), those for requests that leave a
//! field out in a table (`[defaults]`, `sandbox_timeout_sec = 2`); in the environment in upper case, which for
//! the plan's are the plan's own.

use profiler_core::error::Violations;
use profiler_core::job::{Draft, Job};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{fs, io};
use tracing_subscriber::filter::LevelFilter;

/// How long live runs may take to end after a request to shut down.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(10);
/// Runs under way at the same time: more than one disturb each other.
pub const CONCURRENCY: usize = 1;
/// Runs that wait.
pub const MAX_QUEUED: usize = 16;
/// Most that either of these counts may be set to.
pub const MAX_RUNS: usize = 1024;

/// The fields of a job that a setting stands for, and the setting.
const DEFAULTED: [(&str, &str); 4] = [
    ("limits.timeout_ms", "sandbox_timeout_sec"),
    ("limits.memory_mb", "sandbox_mem_mb"),
    ("input_scales", "input_scales"),
    ("extra_corner_cases", "extra_corner_cases"),
];

/// The server's settings.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Runs under way at the same time. Each is measured on a core of its own: where there are fewer
    /// cores than runs, they take turns.
    pub concurrency: usize,
    /// Runs that wait.
    pub max_queued: usize,
    /// How long live runs may take to end after a request to shut down, in seconds.
    pub drain_sec: f64,
    /// Where runs are kept; the [user's own folder](profiler_core::sandbox::user_folders::state) if it is not
    /// said. Each server needs one of its own.
    pub state_dir: Option<PathBuf>,
    /// What is logged.
    pub log_level: LogLevel,
    /// For requests that leave a field out.
    pub defaults: Defaults,
}

/// What holds for a request that leaves a field out.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Defaults {
    /// Time limit of one run, in seconds.
    pub sandbox_timeout_sec: Option<f64>,
    /// Memory limit of one run, in MiB.
    pub sandbox_mem_mb: Option<u32>,
    /// The scales.
    pub input_scales: Option<Vec<u32>>,
    /// The sizes in front of them.
    pub extra_corner_cases: Option<Vec<u32>>,
}

/// The least severe level that is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct LogLevel(pub(crate) LevelFilter);

/// A setting is wrong.
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
    /// The file is no TOML, or has a setting that does not exist or is of another type.
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
        /// The setting, by the name under which it was given.
        setting: String,
        /// What is wrong, and what is allowed.
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
            defaults: Defaults::default(),
        }
    }
}

impl Config {
    /// The settings in `file`, if there is one, and those of the environment, which `env` reads,
    /// over them.
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
        let Self { concurrency, max_queued, drain_sec, state_dir, log_level, defaults } =
            &mut config;
        set(&env, "PROFILER_CONCURRENCY", concurrency, number)?;
        set(&env, "PROFILER_MAX_QUEUED", max_queued, number)?;
        set(&env, "PROFILER_DRAIN_SEC", drain_sec, number)?;
        set(&env, "PROFILER_STATE_DIR", state_dir, |text| Ok(Some(text.into())))?;
        set(&env, "LOG_LEVEL", log_level, str::parse)?;
        set(&env, "SANDBOX_TIMEOUT_SEC", &mut defaults.sandbox_timeout_sec, some(number))?;
        set(&env, "SANDBOX_MEM_MB", &mut defaults.sandbox_mem_mb, some(number))?;
        set(&env, "INPUT_SCALES", &mut defaults.input_scales, some(sizes))?;
        set(&env, "EXTRA_CORNER_CASES", &mut defaults.extra_corner_cases, some(sizes))?;
        config.check(|key| {
            let plans_own = DEFAULTED.iter().any(|(_, setting)| *setting == key);
            let prefix = if plans_own { "" } else { "PROFILER_" };
            format!("{prefix}{}", key.to_uppercase())
        })?;
        Ok(config)
    }

    /// How long live runs may take to end after a request to shut down.
    pub fn drain_limit(&self) -> Duration {
        Duration::try_from_secs_f64(self.drain_sec).unwrap_or(DRAIN_LIMIT)
    }

    /// Checks the values; `name` says how a setting is called where it was given.
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
        self.defaults.check().map_err(|(key, problem)| value(key, problem))
    }
}

impl Defaults {
    /// Fills in what a request left out. A task's own runtime limit goes before our time limit.
    pub fn apply(&self, draft: &mut Draft) {
        if draft.runtime_limit_ms.is_none() {
            let default_ms = self.sandbox_timeout_sec.map(|seconds| seconds * 1000.0);
            draft.timeout_ms = draft.timeout_ms.or(default_ms);
        }
        draft.memory_mb = draft.memory_mb.or(self.sandbox_mem_mb);
        let lists = &mut draft.sizes;
        if !lists.auto {
            lists.scales = lists.scales.take().or_else(|| self.input_scales.clone());
        }
        lists.corner_cases = lists.corner_cases.take().or_else(|| self.extra_corner_cases.clone());
    }

    /// The values are checked by the one who checks requests: a job that is fine but for them.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let mut draft = Draft {
            task_id: "settings".into(),
            source: b"int main() {}".into(),
            ..Draft::default()
        };
        self.apply(&mut draft);
        let Err(Violations(found)) = Job::try_from(draft) else {
            return Ok(());
        };
        let setting = |field: &str| DEFAULTED.iter().find(|(prefix, _)| field.starts_with(prefix));
        let wrong = found.into_iter().find_map(|v| Some((setting(&v.field)?.1, v.problem)));
        wrong.map_or(Ok(()), Err)
    }
}

impl FromStr for LogLevel {
    type Err = String;

    /// Python's names, which the plan's settings have, and those of `tracing`.
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

/// Sets `to` if the environment has `name`.
fn set<T>(
    env: impl Fn(&str) -> Option<String>,
    name: &str,
    to: &mut T,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<(), ConfigError> {
    if let Some(text) = env(name) {
        let wrong = |problem| ConfigError::Value { setting: name.into(), problem };
        *to = parse(text.trim()).map_err(wrong)?;
    }
    Ok(())
}

fn some<T>(
    parse: impl Fn(&str) -> Result<T, String>,
) -> impl Fn(&str) -> Result<Option<T>, String> {
    move |text| parse(text).map(Some)
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text:?} is no number in range"))
}

/// `1000,5000`, also with blanks, and in brackets as Python writes it. Nothing is the empty list.
fn sizes(text: &str) -> Result<Vec<u32>, String> {
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let parts = inner.unwrap_or(text).split(',').map(str::trim);
    parts.filter(|part| !part.is_empty()).map(number).collect()
}
