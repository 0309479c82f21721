//! Logging. It goes to stderr, so that stdout stays free for results.

use crate::config::LogLevel;
use std::io::IsTerminal;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

/// The target of every log message of the profiler.
pub const TARGET: &str = "Profiler";

/// Starts logging: messages of the profiler from `level` on, and warnings of its libraries. A
/// program calls this once, in `main`.
pub fn init(level: LogLevel) -> Result<(), TryInitError> {
    let libraries = level.0.min(LevelFilter::WARN);
    let filter = Targets::new().with_default(libraries).with_target(TARGET, level.0);
    tracing_subscriber::registry()
        .with(
            tracing_subscriber::fmt::layer()
                .with_writer(std::io::stderr)
                .with_ansi(std::io::stderr().is_terminal()),
        )
        .with(filter)
        .try_init()
}
