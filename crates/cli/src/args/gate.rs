//! Conditions that make a run unsuccessful, for scripts and continuous integration.

use super::value::share;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const EXIT_CODE: &str = "Exit code";

/// Conditions that make a run unsuccessful.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct GateArgs {
    /// Exit with 1 if the report has this; may be repeated
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FINDING")]
    #[arg(help_heading = EXIT_CODE, hide_short_help = true)]
    pub(crate) fail_on: Vec<FailOn>,
    /// Compare with this saved report
    #[arg(long, value_name = "SAVED.json", help_heading = EXIT_CODE, hide_short_help = true)]
    pub(crate) baseline: Option<PathBuf>,
    /// Exit with 1 if the program is slower than the baseline by more than this: 5%
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "baseline")]
    #[arg(help_heading = EXIT_CODE, hide_short_help = true)]
    pub(crate) fail_if_slower: Option<f64>,
}

/// A finding in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A warning
    Warning,
    /// A size that did not end OK
    Failure,
    /// A test case with a wrong answer or none; see --test-cases
    WrongAnswer,
    /// A limit that a size exceeded, or that the largest n is predicted to exceed
    OverLimit,
}
