//! Compilation of a program, and the limits of one run.

use crate::args::value::{duration, memory, standard};
use clap::Args;
use std::time::Duration;

/// Heading of these options in the help.
pub(super) const LIMITS: &str = "Compiler and limits";

/// Compilation of a program, and the limits of one run.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ProgramArgs {
    /// Standard of C++: c++20, gnu++17 [default: c++17]
    #[arg(long, value_parser = standard, value_name = "STANDARD", help_heading = LIMITS)]
    pub(crate) std: Option<String>,
    /// Compiler flags [default: "-O2 -std=c++17"]
    #[arg(long, allow_hyphen_values = true, value_name = "FLAGS", help_heading = LIMITS)]
    #[arg(hide_short_help = true)]
    pub(crate) flags: Option<String>,
    /// Time limit of one run: 500ms, 2s or 2 [default: 2s]
    #[arg(long, value_parser = duration, allow_hyphen_values = true, value_name = "TIME")]
    #[arg(help_heading = LIMITS)]
    pub(crate) timeout: Option<Duration>,
    /// Memory limit of one run: 256m, 1g; a number is in MiB [default: 512]
    ///
    /// The limit is that of the resident set.
    #[arg(long, alias = "memory", value_parser = memory, allow_hyphen_values = true)]
    #[arg(value_name = "SIZE", help_heading = LIMITS)]
    pub(crate) memory_mb: Option<u32>,
    /// Ignore swiftprof.toml next to the source, and the user's
    #[arg(long, help_heading = LIMITS, hide_short_help = true)]
    pub(crate) no_config: bool,
}
