//! The level of the log.

use serde::Deserialize;
use std::str::FromStr;
use tracing_subscriber::filter::LevelFilter;

/// The least severe level that is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct LogLevel(pub(crate) LevelFilter);

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
            _ => return Err(format!("must be DEBUG, INFO, WARNING or ERROR, not {text:?}")),
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

impl Default for LogLevel {
    fn default() -> Self {
        Self(LevelFilter::INFO)
    }
}
