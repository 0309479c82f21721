//! Everything a person or CI runs. Each subcommand is a module, and reads as the list of its steps.
//! Large subcommands that few people need are packages of their own: `programs` starts them, and
//! they install and build with the public modules.

#![forbid(unsafe_code)]

mod checks;
mod codegen;
mod demo;
mod fuzz;
pub mod install;
mod programs;
pub mod release;
pub mod steps;
mod test;
mod tidy;

use checks::{chart, dependencies};
use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use steps::failure::Failure;

/// Everything a person or CI runs.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", disable_version_flag = true)]
enum Task {
    /// Compile and measure an example in a sandbox, installing what that needs.
    Demo {
        /// All classic tasks in examples/tasks, each with its inputs.
        #[arg(long)]
        all: bool,
        /// Two gateways and two workers on this machine. The worker that measures is killed.
        #[arg(long, conflicts_with = "all")]
        fleet: bool,
    },
    /// Check format, lints, the rules of the house, and the unit tests of what changed.
    Check,
    /// Run every check and every test, installing what they need.
    Test {
        /// Leave out what needs a real sandbox, but for one row a group of the hostile programs.
        #[arg(long)]
        quick: bool,
        /// Add what decides few changes: the coverage of the core, the command line for ARM, the
        /// compiler of the other backends, and every cheat on every backend.
        #[arg(long, conflicts_with = "quick")]
        all: bool,
    },
    /// Make the base of the sandbox image, without a registry if none can be reached.
    Image,
    /// Regenerate the wire's bindings and its descriptor set.
    Codegen,
    /// Measure what the profiler costs and how steady its figures are; `bench --help` names all.
    #[command(disable_help_flag = true)]
    Bench(Words),
    /// Let parts of a fleet fail at random, and check every history; see `chaos --help`.
    #[command(disable_help_flag = true)]
    Chaos(Words),
    /// Let simulated fleets fail by seed, and check every history. A failure names its seed.
    Seeds {
        /// Number of fleets. With 1, a failure prints the whole history.
        #[arg(long, default_value_t = 10_000)]
        count: u64,
        /// The first seed.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Fuzz every parser that sees bytes from a caller or from inside a sandbox.
    Fuzz {
        /// One target alone; the names are those of the files in fuzz/targets.
        target: Option<String>,
        /// Time for each target, in seconds.
        #[arg(long, default_value_t = 60)]
        seconds: u32,
    },
    /// Build swiftprof for release, by the recipe of every archive.
    Build {
        /// The platform, as rustc names it; this machine's by default.
        #[arg(long, value_name = "TRIPLE")]
        target: Option<String>,
    },
    /// Write archives, Debian packages, wheels and images, with checksums, to target/dist.
    Dist {
        /// One platform alone, as rustc names it; all static ones by default.
        #[arg(long, value_name = "TRIPLE")]
        target: Option<String>,
    },
    /// Check the chart for Kubernetes with helm and the schemas of Kubernetes. Building helm takes
    /// minutes, once.
    Chart,
    /// Check licences and sources of dependencies against deny.toml, with cargo-deny.
    Deny,
    /// Check the workspace with the oldest supported Rust version.
    Msrv,
    /// Try swiftprof on a Debian of its own, in a virtual machine; see `vm --help`.
    #[command(disable_help_flag = true)]
    Vm(Words),
    /// Take defences out one at a time, and expect the hostile programs that attack them to pass
    /// them.
    Undefended {
        /// Only these; the names are those of the files in tests/undefended.
        names: Vec<String>,
    },
    /// Lines per file and per function: median, 90th percentile, largest.
    Sizes,
    /// Check the rules of the house: no circles of imports, no full folders, no wide comments.
    Tidy {
        /// Print the import graph of every crate in figures instead.
        #[arg(long)]
        figures: bool,
        /// The repository; this one by default.
        #[arg(long)]
        root: Option<PathBuf>,
    },
}

/// Words for another program, its `--help` included.
#[derive(Debug, clap::Args)]
struct Words {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Runs the task that the command line names.
pub fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Demo { fleet: true, .. } => demo::run_fleet(),
        Task::Demo { all, .. } => demo::run(all),
        Task::Check => test::check(),
        Task::Test { quick: true, .. } => test::quick(),
        Task::Test { all, .. } => test::run(all),
        Task::Image => install::base::run(),
        Task::Codegen => codegen::run(),
        Task::Bench(Words { words }) => programs::bench(&words),
        Task::Chaos(Words { words }) => programs::chaos(&words),
        Task::Seeds { count, seed } => programs::seeds(count, seed),
        Task::Fuzz { target, seconds } => fuzz::run(target.as_deref(), seconds),
        Task::Build { target } => release::build(target.as_deref()),
        Task::Dist { target } => release::dist(target.as_deref()),
        Task::Chart => chart::check(),
        Task::Deny => dependencies::deny(),
        Task::Msrv => dependencies::msrv(),
        Task::Vm(Words { words }) => programs::vm(&words),
        Task::Undefended { names } => test::undefended::run(&names),
        Task::Sizes => tidy::sizes::run(),
        Task::Tidy { figures, root } => {
            let root = root.unwrap_or_else(steps::shell::root);
            if figures { tidy::print_figures(&root) } else { tidy::check(&root) }
        }
    };
    Failure::exit_code("xtask", done)
}
