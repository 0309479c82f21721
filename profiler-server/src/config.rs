//! The settings. Options of the command line override environment variables, which override a TOML
//! file, which overrides the defaults.
//!
//! Every setting is declared once, as a row in `declared`. The fields of [`Config`] and their
//! defaults, the checks of ranges, the environment, the options, `serve --check-config`, the
//! example file and the table in `docs/settings.md` all come from that row. Tests compare the rows
//! with the committed documents.

mod declared;
mod documents;
mod error;
mod hints;
mod identity;
mod kind;
mod level;
mod log_format;
mod socket_mode;
mod sources;
mod values;

pub use declared::{
    Config, DefaultValue, Fleet, Identity, MAX_QUEUED, MAX_RUNS, Quota, Retention, SETTINGS,
    Setting,
};
pub use documents::{example, table};
pub use error::ConfigError;
pub use hints::misspelt_variables;
pub use kind::Kind;
pub use level::LogLevel;
pub use log_format::LogFormat;
pub use socket_mode::SocketMode;
pub use sources::Settings;
