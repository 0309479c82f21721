//! The options of a job: what the program reads, over which sizes, and what is measured.

mod program;

pub(crate) use program::ProgramArgs;

use super::value::size::{Sizes, size, sizes};
use super::value::{precision, repetitions};
use super::{
    Clock, CredentialArgs, Growth, InputExperiment, OnMemoryLimit, Progress, SANDBOX, SandboxArgs,
    Schedule,
};
use clap::Args;
use program::LIMITS;
use std::path::PathBuf;

const INPUT: &str = "Input and sizes";
const MEASURED: &str = "What to measure";
const OUTPUT: &str = "Output";

/// The options of a job.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent flag")]
pub(crate) struct JobArgs {
    /// Input spec in JSON or YAML; several are searched for the worst case
    #[arg(long, value_name = "FILE", conflicts_with = "inputs", help_heading = INPUT)]
    pub(crate) input_spec: Vec<PathBuf>,
    /// Folder of inputs: 1000.in, 5000.in, ... [default: the line n]
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub(crate) inputs: Option<PathBuf>,
    /// Task file in SwiftSolve's format: gives bounds, limits and, if present, the input spec;
    /// growth above the expected complexity is a warning
    #[arg(long, value_name = "FILE.json", help_heading = INPUT, hide_short_help = true)]
    pub(crate) task: Option<PathBuf>,
    /// Run the task's test cases after the sizes; a wrong answer is a warning
    #[arg(long, requires = "task", conflicts_with = "interactor", help_heading = INPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) test_cases: bool,
    /// Interactor of an interactive task: C++17, connected by pipes; its first argument names the
    /// input file
    #[arg(long, value_name = "FILE.cpp", help_heading = INPUT, hide_short_help = true)]
    #[arg(conflicts_with_all = ["hotspots", "instructions", "allocations", "worst", "advice"])]
    pub(crate) interactor: Option<PathBuf>,
    /// Increasing sizes [default: 0,1,1000,5000,10000,50000,100000]
    ///
    /// A size is a number as in input specs, such as 10^6 or 1e6. A range such as "1..10^6 x2" is
    /// 1, 2, 4 and so on, up to 10^6.
    #[arg(long, value_parser = sizes, allow_hyphen_values = true)]
    #[arg(value_name = "N,N,...", conflicts_with = "n_max", help_heading = INPUT)]
    pub(crate) sizes: Vec<Sizes>,
    /// Largest size, such as 10^6
    ///
    /// Skips larger default sizes, and bounds schedules and specs.
    #[arg(long, value_parser = size, allow_hyphen_values = true, value_name = "N")]
    #[arg(help_heading = INPUT)]
    pub(crate) n_max: Option<u64>,
    /// Choice of the sizes
    #[arg(long, value_enum, default_value_t, conflicts_with_all = ["sizes", "inputs"])]
    #[arg(help_heading = INPUT, hide_short_help = true)]
    pub(crate) schedule: Schedule,
    /// Variable of the task that is the size [default: the only one, else n]
    #[arg(long, value_name = "NAME", help_heading = INPUT, hide_short_help = true)]
    pub(crate) size_variable: Option<String>,
    /// Time of the experiment whether the input is enough
    #[arg(long, value_enum, default_value_t, value_name = "TIME", help_heading = INPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) input_experiment: InputExperiment,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    /// Reaction to a size above the memory limit
    #[arg(long, value_enum, default_value_t, value_name = "REACTION", help_heading = LIMITS)]
    #[arg(hide_short_help = true)]
    pub(crate) on_memory_limit: OnMemoryLimit,
    /// Evidence for the complexity estimate
    #[arg(long, value_enum, default_value_t, value_name = "EFFORT", help_heading = MEASURED)]
    pub(crate) growth: Growth,
    /// Cost by line and function
    #[arg(long, alias = "debug", help_heading = MEASURED)]
    pub(crate) hotspots: bool,
    /// Record the allocations at the largest size
    #[arg(long, help_heading = MEASURED)]
    pub(crate) allocations: bool,
    /// Also search for the worst input that the specs allow, of this size [default: 1000]
    ///
    /// Tells both classes: "n log n on random input, n² on the worst". Takes up to a minute.
    #[arg(long, value_parser = size, value_name = "N", num_args = 0..=1, require_equals = true)]
    #[arg(help_heading = MEASURED, hide_short_help = true)]
    #[expect(clippy::option_option, reason = "absent, without a size, or with one")]
    pub(crate) worst: Option<Option<u64>>,
    /// Also try changes of the program, and tell which of them made it faster
    ///
    /// Reading without stdio, '\\n' for endl, references for copies, hashed containers, -O2 or -O3.
    /// Each runs in turns with the original. Takes up to a minute.
    #[arg(long, help_heading = MEASURED, hide_short_help = true)]
    pub(crate) advice: bool,
    /// Count the executed instructions at every size
    #[arg(long, help_heading = MEASURED, hide_short_help = true)]
    pub(crate) instructions: bool,
    /// Clock of the headline
    #[arg(long, value_enum, default_value_t, value_name = "CLOCK", help_heading = MEASURED)]
    #[arg(hide_short_help = true)]
    pub(crate) clock: Clock,
    /// Exactly this many timed runs of every size, 1 to 100 [default: until the runtime is known]
    #[arg(long, value_parser = repetitions, allow_hyphen_values = true, value_name = "N")]
    #[arg(help_heading = MEASURED, hide_short_help = true)]
    pub(crate) runs: Option<u32>,
    /// Repeat until a runtime is known to this share; above 1%, briefly [default: that of a
    /// baseline, else 10% for `run` and 1% for others]
    #[arg(long, value_parser = precision, value_name = "PERCENT", conflicts_with = "runs")]
    #[arg(help_heading = MEASURED, hide_short_help = true)]
    pub(crate) precision: Option<f64>,
    /// Include the figures of every repetition, in JSON
    #[arg(long, help_heading = MEASURED, hide_short_help = true)]
    pub(crate) raw_samples: bool,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Run on this server: https://HOST:PORT, http://HOST:PORT or unix:PATH
    #[arg(long, value_name = "URL", help_heading = SANDBOX)]
    #[arg(conflicts_with_all = ["backend", "image"])]
    pub(crate) endpoint: Option<String>,
    /// Measure on hosts of a fleet like those of this run, so that the times are comparable
    #[arg(long, value_name = "RUN_ID", requires = "endpoint", help_heading = SANDBOX)]
    #[arg(hide_short_help = true)]
    pub(crate) same_pool_as: Option<String>,
    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
    /// Format of the progress on stderr
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = OUTPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) progress: Progress,
}
