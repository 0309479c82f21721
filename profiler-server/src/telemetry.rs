//! Logging: to stderr, so that stdout stays a program's own.

use crate::config::LogLevel;
use std::io::IsTerminal;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};

/// The target of everything that the profiler logs.
pub const TARGET: &str = "Profiler";

/// Logs what the profiler says from `level` on, and what its libraries warn of. To be called once,
/// by a program's `main`.
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
