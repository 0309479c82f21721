//! Reasons why settings cannot be used.

use std::path::PathBuf;

/// The settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read, is not TOML, or has a setting that does not exist or has the wrong
    /// type.
    #[error("cannot read the settings in {}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Position and reason.
        cause: String,
    },
    /// A value is not allowed.
    #[error("{setting}: {problem}")]
    Value {
        /// The name of the setting in the source that gave it.
        setting: String,
        /// Fault of the value, and the values that are allowed.
        problem: String,
    },
}
