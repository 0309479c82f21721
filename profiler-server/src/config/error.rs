//! Reasons why settings cannot be used.

use std::io;
use std::path::PathBuf;

/// The settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("read settings from {}: {cause}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Cause.
        cause: io::Error,
    },
    /// The file is not TOML, or has a setting that does not exist or has the wrong type.
    #[error("read settings from {}: {cause}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Position and reason.
        cause: Box<toml::de::Error>,
    },
    /// A value is not allowed.
    #[error("{setting}: {problem}")]
    Value {
        /// The setting, by its name where it was given.
        setting: String,
        /// Fault of the value, and the values that are allowed.
        problem: String,
    },
}
