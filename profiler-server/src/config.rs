//! The settings: options of the command line, over environment variables, over a TOML file, over
//! the defaults.
//!
//! Every setting is declared once, in [`SETTINGS`]. The checks of ranges, the environment, the
//! options, `serve --check-config`, the example file and the table in `docs/settings.md` follow
//! from that. To add a setting: declare it there, and add a field to [`Config`]. Tests compare both
//! with each other and with the committed documents.

mod declared;
mod documents;
mod error;
mod identity;
mod kind;
mod level;
mod log_format;
mod sources;
mod values;

pub use declared::{DefaultValue, SETTINGS, Setting};
pub use documents::{example, table};
pub use error::ConfigError;
pub use identity::{Identity, SocketMode};
pub use kind::Kind;
pub use level::LogLevel;
pub use log_format::LogFormat;
pub use sources::Settings;
pub use values::{
    CONCURRENCY, Config, DRAIN_GRACE, DRAIN_LIMIT, Fleet, MAX_QUEUED, MAX_RUNS, Quota, RETAINED_MB,
    RETAINED_RUNS, Retention,
};
