//! The options of a job: what the program reads, over which sizes, and what is measured.

mod declared;
mod program;

pub(crate) use declared::CheckerChoice;
pub(crate) use program::ProgramArgs;

use super::value::{Sizes, seed};
use super::{CredentialArgs, Progress, SANDBOX, SandboxArgs};
use clap::Args;
pub(super) use declared::checker;
use declared::{DeclaredArgs, INPUT, MEASURED};
use profiler_input::{size, sizes};
use std::path::PathBuf;

const OUTPUT: &str = "Output";

/// The options of a job.
#[derive(Debug, Clone, Args)]
pub(crate) struct JobArgs {
    /// Input spec in JSON or YAML; several are candidates for the worst case
    #[arg(long, value_name = "FILE", conflicts_with = "inputs", help_heading = INPUT)]
    pub(crate) input_spec: Vec<PathBuf>,
    /// Folder of inputs: 1000.in, 5000.in, ... [default: the line n]
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub(crate) inputs: Option<PathBuf>,
    /// Task file in SwiftSolve's format: gives bounds, limits and, if present, the input spec;
    /// growth above the expected complexity is a warning
    #[arg(long, value_name = "FILE.json", help_heading = INPUT, hide_short_help = true)]
    pub(crate) task: Option<PathBuf>,
    /// Run the task's test cases too; a program that is wrong is not measured
    #[arg(long, requires = "task", conflicts_with = "interactor", help_heading = INPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) test_cases: bool,
    /// Test cases to pass first: folder or .zip of 1.in, 1.out; .jsonl
    ///
    /// The expected output of 1.in is in 1.out, 1.ans or 1.a. A task in .json has test cases, too.
    /// A line of .jsonl is an object with `input`, and either `output` or `output_words_sha256`.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["test_cases", "interactor"])]
    #[arg(help_heading = INPUT)]
    pub(crate) tests: Option<PathBuf>,
    /// Comparison of an answer with the expected output: words, exact, caseless, numbers, or a
    /// checker in C++ that takes testlib's arguments
    #[arg(long, value_parser = checker, value_name = "WORD|FILE.cpp", default_value = "words")]
    #[arg(help_heading = INPUT, hide_short_help = true)]
    pub(crate) checker: CheckerChoice,
    /// Validator of the inputs in C++; it reads an input on stdin and exits with testlib's codes
    #[arg(long, value_name = "FILE.cpp", help_heading = INPUT, hide_short_help = true)]
    pub(crate) validator: Option<PathBuf>,
    /// testlib.h, or its folder [default: next to the program that includes it]
    #[arg(long, value_name = "PATH", help_heading = INPUT, hide_short_help = true)]
    pub(crate) testlib: Option<PathBuf>,
    /// Interactor of an interactive task: C++17, connected by pipes; its first argument names the
    /// input file
    #[arg(long, value_name = "FILE.cpp", help_heading = INPUT, hide_short_help = true)]
    #[arg(conflicts_with = "worst")]
    pub(crate) interactor: Option<PathBuf>,
    /// Increasing sizes [default: 0,1,1000,5000,10000,50000,100000]
    ///
    /// A size is a number as in input specs, such as 10^6 or 1e6. A range such as "1..10^6 x2" is
    /// 1, 2, 4 and so on, up to 10^6.
    #[arg(long, value_parser = sizes, allow_hyphen_values = true)]
    #[arg(value_name = "N,N,...", help_heading = INPUT)]
    pub(crate) sizes: Vec<Sizes>,
    /// Largest size, such as 10^6
    ///
    /// Spreads the default sizes up to N, and bounds schedules and specs. `--sizes` may exceed it.
    #[arg(long, value_parser = size, allow_hyphen_values = true, value_name = "N")]
    #[arg(help_heading = INPUT)]
    pub(crate) n_max: Option<u64>,
    /// Number to add to the seed of each input spec, or `random`
    ///
    /// A program that knows the inputs of one seed gains nothing with another seed. The report
    /// repeats the number.
    #[arg(long, value_parser = seed, value_name = "N", help_heading = INPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) seed: Option<u32>,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) declared: DeclaredArgs,
    /// Run every size only once, for a first look
    ///
    /// No size is repeated or has a memory probe, nothing is counted for growth, and the class of
    /// growth is from times alone. The same as `--precision 100% --growth timed`.
    #[arg(long, conflicts_with_all = ["precision", "runs", "growth", "reward"])]
    #[arg(help_heading = MEASURED, hide_short_help = true)]
    pub(crate) quick: bool,
    /// Also search for the worst input that the specs allow, of this size [default: 1000]
    ///
    /// Tells both classes: "n log n on random input, n² on the worst". Takes up to a minute.
    #[arg(long, value_parser = size, value_name = "N", num_args = 0..=1, require_equals = true)]
    #[arg(help_heading = MEASURED, hide_short_help = true)]
    #[expect(clippy::option_option, reason = "absent, without a size, or with one")]
    pub(crate) worst: Option<Option<u64>>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Server to run on: https://HOST:PORT, http://HOST:PORT or unix:PATH
    #[arg(long, value_name = "URL", help_heading = SANDBOX)]
    #[arg(conflicts_with_all = ["backend", "image"])]
    pub(crate) endpoint: Option<String>,
    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
    /// Format of the progress on stderr
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = OUTPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) progress: Progress,
}
