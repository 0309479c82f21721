//! The arguments of the command line. Parsing checks each argument by itself; the job is checked as
//! a whole later.

mod check;
mod choice;
mod document;
mod gate;
mod help;
mod job;
pub(crate) mod perun;
mod place;
#[cfg(feature = "service")]
pub(crate) mod service;
mod value;
mod worst;

pub(crate) use check::{CheckArgs, Property};
pub(crate) use choice::{Progress, ResultFormat, is_perun};
pub(crate) use document::{DocumentArgs, GenerateArgs, RankingForm, ranking_form, report_format};
pub(crate) use gate::{FailOn, GateArgs, OutputArgs, SEVERAL_ANSWERS};
pub(crate) use job::{CheckerChoice, JobArgs, ProgramArgs};
use place::SANDBOX;
pub(crate) use place::{CredentialArgs, SandboxArgs};
pub(crate) use worst::{WorstArgs, with_lines_joined};

use clap::{Arg, ArgGroup, Args, Parser, Subcommand};
use profiler_input::size;
use runner_protocol::SOURCES;
use sandbox_image::{DEFAULT_BASE, DEFAULT_TAG};
#[cfg(not(feature = "fleet"))]
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Text of `--version`, with the facts that a bug report needs: the commit, the hash of the
/// runner's sources, and the image.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("SWIFTPROF_COMMIT"));
    format!("{version}\ncommit {commit}\nrunner {SOURCES}\nimage  {DEFAULT_TAG}")
});

/// Measures the time and memory of C++ programs in a sandbox, over growing inputs
#[derive(Debug, Parser)]
#[command(name = "swiftprof", version, long_version = LONG_VERSION.as_str())]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Profile a program, or rank several
    #[command(after_help = help::RUN_EXAMPLES, after_long_help = help::run_long())]
    Run(Box<RunArgs>),
    /// Compare two programs, or two saved reports
    #[command(after_help = help::compare())]
    Compare(Box<CompareArgs>),
    /// Search for a small input on which two programs differ
    #[command(after_help = help::check())]
    Check(Box<CheckArgs>),
    /// Search for the input on which a program executes the most instructions
    #[command(after_help = help::worst())]
    Worst(Box<WorstArgs>),
    /// Print a saved report in another format
    #[command(after_help = help::REPORT_EXAMPLES)]
    Report(Box<ReportArgs>),
    #[cfg(feature = "service")]
    #[command(flatten)]
    Service(service::Service),
    /// Manage the image of the Docker sandbox
    #[command(subcommand)]
    Image(Image),
    /// Write the input that a spec describes, or propose a spec for sample inputs
    Input(InputArgs),
    /// Write a spec and a task file to edit
    Init {
        /// Folder for the files
        #[arg(value_name = "DIR", default_value = ".")]
        folder: PathBuf,
    },
    /// Work with profiles in Perun's format
    #[command(subcommand)]
    Perun(perun::Perun),
    /// Write shell completions and man pages
    #[command(hide = true)]
    Generate(GenerateArgs),
    /// Check which sandboxes work on this host, and what disturbs measurements
    Doctor {
        /// Image of the Docker sandbox
        #[arg(long, default_value = DEFAULT_TAG, value_name = "NAME:TAG")]
        image: String,
        /// Format of the findings
        #[arg(long, value_enum, default_value_t)]
        format: ResultFormat,
    },
    /// A command that this build lacks, or that does not exist
    #[cfg(not(feature = "fleet"))]
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// Programs to profile, options of their jobs, and documents to print.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// C++ source or folder, compiled program, or - for stdin; several are ranked
    #[arg(value_name = "FILE.cpp", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Run again whenever a file of the program, its spec, task or judge changes, until Ctrl-C
    #[arg(long, hide_short_help = true)]
    pub(crate) watch: bool,
    #[command(flatten)]
    pub(crate) job: JobArgs,
    #[command(flatten)]
    pub(crate) document: DocumentArgs,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
}

/// Programs or reports to compare.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// C++ source file, or a report saved as JSON
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// Program or report to compare with A, of the same kind
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    #[command(flatten)]
    pub(crate) job: JobArgs,
    /// Format of the comparison
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: ResultFormat,
    #[command(flatten)]
    pub(crate) outputs: OutputArgs,
}

/// A saved report, and what to print.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Report saved by `run -o FILE.json` or `run --format json`
    #[arg(value_name = "SAVED.json")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) document: DocumentArgs,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Image {
    /// Build the image
    Build(ImageArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ImageArgs {
    /// Base image
    #[arg(long, default_value = DEFAULT_BASE, value_name = "IMAGE")]
    pub(crate) base_image: String,
    /// Major version of GCC [default: that of the base image]
    #[arg(long, value_name = "MAJOR")]
    pub(crate) gcc_version: Option<String>,
    /// Name of the built image
    #[arg(long, default_value = DEFAULT_TAG, value_name = "NAME:TAG")]
    pub(crate) tag: String,
}

/// The task of `input`, such as writing an input or proposing a spec, and its options.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("task").required(true)), after_help = help::input())]
#[command(mut_args(sandboxed))]
pub(crate) struct InputArgs {
    /// Input spec in JSON or YAML, whose input of size --n is written
    #[arg(value_name = "FILE", groups = ["task", SANDBOXED], requires = "n")]
    pub(crate) file: Option<PathBuf>,
    /// Size of the input
    #[arg(long, value_parser = size, allow_hyphen_values = true, requires = "file")]
    pub(crate) n: Option<u64>,
    /// Upper bound of n in the task
    #[arg(long, value_parser = size, allow_hyphen_values = true, value_name = "N", requires = "file")]
    pub(crate) n_max: Option<u64>,
    /// Name of the spec within the file [default: the first]
    #[arg(long, requires = "file")]
    pub(crate) name: Option<String>,
    /// Seed of the input, instead of the spec's own
    #[arg(long, value_name = "S", requires = "file")]
    pub(crate) seed: Option<u32>,
    /// testlib.h, or its folder [default: next to the generator]
    #[arg(long, value_name = "PATH", requires = "file", hide_short_help = true)]
    pub(crate) testlib: Option<PathBuf>,
    /// Propose a spec whose inputs have the layout of these sample inputs
    #[arg(long, value_name = "SAMPLE", num_args = 1.., group = "task")]
    pub(crate) infer: Vec<PathBuf>,
    /// Number of the reading of the samples to write [default: the likeliest]
    #[arg(long, value_name = "NUMBER", requires = "infer")]
    pub(crate) reading: Option<usize>,
    /// C++ source file, or - for stdin, that must read all of the proposed inputs and no more
    #[arg(long, value_name = "FILE.cpp", group = SANDBOXED, requires = "infer")]
    pub(crate) program: Option<PathBuf>,
    /// List the kinds of variables, with their fields
    #[arg(long, group = "task")]
    pub(crate) kinds: bool,
    /// Print a spec that has a variable of this kind
    #[arg(long, value_name = "KIND", group = "task")]
    pub(crate) example: Option<String>,
    /// Print the JSON schema of specs, for editors
    #[arg(long, group = "task")]
    pub(crate) schema: bool,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

/// The arguments of `input` that can name a program, or a spec with a generator.
const SANDBOXED: &str = "sandboxed";

/// Makes the options of the sandbox require one of [`SANDBOXED`].
fn sandboxed(arg: Arg) -> Arg {
    let is_for_sandbox = ["backend", "image"].contains(&arg.get_id().as_str());
    if is_for_sandbox { arg.requires(SANDBOXED) } else { arg }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;
    use profiler_core::sandbox::Choice;
    use profiler_proto::v1;
    use std::time::Duration;

    fn run(args: &[&str]) -> Result<JobArgs, clap::Error> {
        let line = ["swiftprof", "run", "a.cpp"].iter().chain(args);
        match Cli::try_parse_from(line)?.command {
            Command::Run(args) => Ok(args.job),
            other => panic!("{other:?}"),
        }
    }

    fn refusal(args: &[&str]) -> String {
        run(args).unwrap_err().to_string()
    }

    #[test]
    fn definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn version_says_what_a_report_of_a_fault_needs() {
        let version = Cli::command().render_long_version();
        for part in ["commit ", "runner ", DEFAULT_TAG] {
            assert!(version.contains(part), "{version}");
        }
    }

    #[test]
    fn profiler_decides_without_options() {
        let args = run(&[]).unwrap();
        assert_eq!(args.sandbox.backend, Choice::Auto);
        assert_eq!(args.sandbox.image, DEFAULT_TAG);
        assert!(
            args.sizes.is_empty()
                && args.program.timeout.is_none()
                && args.program.memory_mb.is_none()
        );
    }

    #[test]
    fn compared_files_keep_their_order() {
        let line = ["swiftprof", "compare", "a.cpp", "--debug", "b.cpp"];
        let Command::Compare(args) = Cli::try_parse_from(line).unwrap().command else { panic!() };
        let files = [&args.a, &args.b].map(|file| file.display().to_string());
        assert_eq!((files, args.job.declared.0.debug), (["a.cpp".into(), "b.cpp".into()], true));
    }

    #[test]
    fn sizes_are_separated_by_commas() {
        let args = run(&["--sizes", "0,1, 1e3,10^4..10^6 x10"]).unwrap();
        assert_eq!(args.sizes.concat(), [0, 1, 1000, 10_000, 100_000, 1_000_000]);
        assert_eq!(run(&["--n-max", "10^12"]).unwrap().n_max, Some(1_000_000_000_000));
    }

    #[test]
    fn bad_sizes_name_the_flag_and_the_range() {
        for bad in ["-5,10", "ten", "1,,2", "10^18 + 1", "1..8"] {
            let text = refusal(&["--sizes", bad]);
            assert!(text.contains("--sizes") && text.contains("from 0 to 10^18"), "{text}");
        }
        let text = refusal(&["--n-max", "1e19"]);
        assert!(text.contains("--n-max") && text.contains("from 0 to 10^18"), "{text}");
    }

    #[test]
    fn values_may_have_units() {
        let limits = |args: &[&str]| {
            run(args).map(|args| (args.program.timeout, args.program.memory_mb)).unwrap()
        };
        let two_seconds = Some(Duration::from_secs(2));
        assert_eq!(limits(&["--timeout", "2"]), (two_seconds, None));
        assert_eq!(limits(&["--timeout", "2s", "--memory", "1g"]), (two_seconds, Some(1024)));
    }

    #[test]
    fn column_that_does_not_exist_is_answered_with_those_that_do() {
        run(&["--columns", "size,headline_ms,time_growth_confidence"]).unwrap();
        let said = refusal(&["--columns", "size,headlin_ms"]);
        assert!(said.contains("'headlin_ms' for '--columns"), "{said}");
        assert!(said.contains("a similar value exists: 'headline_ms'"), "{said}");
        assert!(said.contains("largest_peak_memory_mb"), "{said}");
    }

    #[test]
    fn bad_numbers_of_runs_name_the_flag_and_the_range() {
        assert_eq!(run(&["--runs", "30"]).unwrap().declared.0.repetitions, Some(30));
        for bad in ["0", "101", "-1", "1.5", "many", ""] {
            let text = refusal(&["--runs", bad]);
            assert!(text.contains("--runs") && text.contains("from 1 to 100"), "{text}");
        }
    }

    #[test]
    fn standard_is_named_as_people_name_it() {
        let standard = |text| run(&["--std", text]).map(|args| args.program.std.unwrap());
        assert_eq!(standard("c++20").unwrap(), "c++20");
        assert_eq!(standard("20").unwrap(), "c++20");
        assert_eq!(standard("gnu++17").unwrap(), "gnu++17");
        assert!(refusal(&["--std", "java"]).contains("c++11, c++14, c++17, c++20, c++23"));
    }

    #[test]
    fn checker_is_a_word_or_a_file() {
        let checker = |args: &[&str]| run(args).unwrap().checker;
        assert_eq!(checker(&[]), CheckerChoice::Word(v1::Checker::Words.into()));
        let numbers = CheckerChoice::Word(v1::Checker::Numbers.into());
        assert_eq!(checker(&["--checker", "numbers"]), numbers);
        for file in ["judge/check.cpp", "check.CC", "check.cxx"] {
            assert_eq!(checker(&["--checker", file]), CheckerChoice::Program(file.into()));
        }
        for other in ["number", "check.py", "words.txt", ".cpp"] {
            let said = refusal(&["--checker", other]);
            assert!(said.contains("numbers, or a file whose name ends in .cpp, .cc or"), "{said}");
        }
    }

    #[test]
    fn certificate_needs_its_key() {
        for alone in ["--cert=a.pem", "--key=a.pem"] {
            let refused = run(&["--endpoint=https://h:1", alone]).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::MissingRequiredArgument, "{alone}");
        }
        assert!(run(&["--endpoint=https://h:1", "--cert=a.pem", "--key=b.pem"]).is_ok());
    }

    /// Everybody on a host can read the arguments of its processes.
    #[test]
    fn token_is_no_argument() {
        assert!(run(&["--token=secret"]).is_err());
    }

    /// A window that fills a common screen has 44 rows or more.
    #[test]
    fn short_help_fits_on_a_screen() {
        let mut cli = Cli::command();
        let help = cli.find_subcommand_mut("run").unwrap().render_help().to_string();
        assert!(help.lines().count() <= 43, "{} lines:\n{help}", help.lines().count());
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }

    #[test]
    fn flags_may_begin_with_a_hyphen() {
        let args = run(&["--flags", "-O3 -std=c++20"]).unwrap();
        assert_eq!(args.program.flags.as_deref(), Some("-O3 -std=c++20"));
    }

    #[test]
    fn contradictions_are_refused() {
        for pair in [
            ["--endpoint=http://h:1", "--backend=native"],
            ["--quick", "--precision=1%"],
            ["--quick", "--runs=3"],
            ["--quick", "--growth=full"],
        ] {
            assert_eq!(run(&pair).unwrap_err().kind(), ErrorKind::ArgumentConflict, "{pair:?}");
        }
    }

    #[test]
    fn sandbox_options_need_a_program() {
        let input = |args: &[&str]| {
            let line = ["swiftprof", "input"].iter().chain(args);
            Cli::try_parse_from(line).map(drop).map_err(|error| error.kind())
        };
        for option in ["--backend=docker", "--image=a:b"] {
            let refused = input(&["--infer", "1.txt", option]);
            assert_eq!(refused, Err(ErrorKind::MissingRequiredArgument), "{option}");
            assert_eq!(input(&["a.yaml", "--n=5", option]), Ok(()));
            assert_eq!(input(&["--infer", "1.txt", "--program=a.cpp", option]), Ok(()));
        }
    }
}
