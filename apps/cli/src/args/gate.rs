//! Conditions that make a run unsuccessful, for scripts and continuous integration.

use super::value::share;
use clap::{Args, ValueEnum};
use profiler_compare::Outputs;
use std::path::PathBuf;

const EXIT_CODE: &str = "Exit code";
/// Advice that is printed if the outputs of compared programs differ.
pub(crate) const SEVERAL_ANSWERS: &str =
    "If the task has several right answers, use --checker or --any-output.";

/// Conditions that make a run unsuccessful.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct GateArgs {
    /// Exit with 1 if the report has this; repeatable
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
    #[command(flatten)]
    pub(crate) outputs: OutputArgs,
}

/// Option that decides whether compared programs must write the same output.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct OutputArgs {
    /// Compare programs that write different outputs, for tasks with several right answers
    #[arg(long, help_heading = EXIT_CODE, hide_short_help = true)]
    any_output: bool,
}

impl OutputArgs {
    /// Returns what the comparison requires of the outputs.
    pub(crate) fn required(self) -> Outputs {
        if self.any_output { Outputs::Any } else { Outputs::Agree }
    }
}

/// A finding that makes a run unsuccessful if the report has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A warning
    Warning,
    /// A size that did not end OK
    Failure,
    /// A test case on which the program is wrong; see --test-cases
    WrongAnswer,
    /// A limit that a size exceeded, or that the largest n is predicted to exceed
    OverLimit,
}
