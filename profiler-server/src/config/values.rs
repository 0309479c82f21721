//! The values of the settings, as the server uses them.

#[cfg(feature = "fleet")]
use super::declared::Fleet;
use super::declared::{Config, Quota};
use profiler_core::job::{Draft, Job};
#[cfg(feature = "fleet")]
use profiler_fleet::LogLimits;
use profiler_wire::Defaults;
use std::time::Duration;

#[cfg(feature = "fleet")]
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
#[cfg(feature = "fleet")]
const BYTES_PER_MB: u64 = 1 << 20;

/// The fields of a job that have a default, and the setting of each.
const DEFAULTED: [(&str, &str); 5] = [
    ("limits.timeout_ms", "defaults.sandbox_timeout_sec"),
    ("limits.memory_mb", "defaults.sandbox_mem_mb"),
    ("input_scales", "defaults.input_scales"),
    ("extra_corner_cases", "defaults.extra_corner_cases"),
    ("growth_share", "defaults.growth_share"),
];

impl Quota {
    /// Returns the maximum time that the runs of a caller take in any hour.
    pub(crate) fn hour(&self) -> Option<Duration> {
        self.hour_sec.map(duration)
    }

    /// Returns the maximum time that a run takes.
    pub(crate) fn run(&self) -> Option<Duration> {
        self.run_sec.map(duration)
    }
}

#[cfg(feature = "fleet")]
impl Fleet {
    /// Returns the limits of the engine's logs.
    pub(crate) fn log_limits(&self) -> LogLimits {
        let age = self.log_days.map(|days| DAY * days);
        LogLimits { age, bytes: self.log_mb.map(|mb| mb.saturating_mul(BYTES_PER_MB)) }
    }
}

impl Config {
    /// Returns the time from SIGTERM until no run is accepted. Health says `NOT_SERVING` during it.
    pub fn drain_grace(&self) -> Duration {
        duration(self.drain_grace_sec)
    }

    /// Returns the maximum time for live runs to end after no more runs are accepted.
    pub fn drain_limit(&self) -> Duration {
        duration(self.drain_sec)
    }
}

/// Returns the duration of a setting. The range of the setting ensures that the conversion
/// succeeds, so nobody sees the 0 of a failure.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// Checks the values as the fields of an otherwise valid job, so that requests and settings share
/// the same rules. Returns the key of a wrong setting and the problem.
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
