//! Logging. It goes to stderr, so that stdout stays free for results.

use crate::config::LogLevel;
use std::fmt;
use std::io::IsTerminal;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::reload;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

/// The target of every log message of the profiler.
pub const TARGET: &str = "Profiler";

/// Starts logging: messages of the profiler from `level` on, and warnings of its libraries. A
/// program calls this once, in `main`.
pub fn init(level: LogLevel) -> Result<LevelSwitch, TryInitError> {
    let (filter, handle) = reload::Layer::new(filter_of(level));
    tracing_subscriber::registry()
        .with(
            tracing_subscriber::fmt::layer()
                .with_writer(std::io::stderr)
                .with_ansi(std::io::stderr().is_terminal()),
        )
        .with(filter)
        .try_init()?;
    Ok(LevelSwitch(Box::new(move |level| handle.reload(filter_of(level)))))
}

/// Changes the level of the log.
pub struct LevelSwitch(Box<dyn Fn(LogLevel) -> Result<(), reload::Error> + Send + Sync>);

impl LevelSwitch {
    /// Logs messages from `level` on.
    pub fn set(&self, level: LogLevel) {
        if let Err(error) = (self.0)(level) {
            tracing::warn!(target: TARGET, "change the level of the log: {error}");
        }
    }
}

impl fmt::Debug for LevelSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LevelSwitch")
    }
}

fn filter_of(level: LogLevel) -> Targets {
    let libraries = level.0.min(LevelFilter::WARN);
    Targets::new().with_default(libraries).with_target(TARGET, level.0)
}
