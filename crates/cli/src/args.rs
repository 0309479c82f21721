//! The arguments of the command line. Parsing checks each argument by itself; the job is checked as
//! a whole later.

mod choice;
pub(crate) mod perun;

pub(crate) use choice::{
    Backend, Clock, DoctorFormat, Format, Growth, OnMemoryLimit, PerunType, Progress, Schedule,
};

use clap::{ArgGroup, Args, Parser, Subcommand};
use profiler_core::limits::MAX_SIZE;
use profiler_server::Address;
use sandbox_image::{DEFAULT_BASE, DEFAULT_TAG};
use std::path::PathBuf;
use std::time::Duration;

/// The address that `serve` listens on by default. Only this machine can reach it.
const DEFAULT_LISTEN: &str = "127.0.0.1:50051";
/// Units of `--timeout` in seconds. A suffix of another unit comes after it.
const TIME_UNITS: [(&str, f64); 3] = [("ms", 1e-3), ("us", 1e-6), ("s", 1.0)];

/// Measures the time and memory of C++ programs in a sandbox, over growing inputs
#[derive(Debug, Parser)]
#[command(name = "swiftprof", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Profile one program
    Run(Box<RunArgs>),
    /// Compare two programs, or two saved reports
    Compare(Box<CompareArgs>),
    /// Serve the profiler over gRPC
    Serve(ServeArgs),
    /// Manage the image of the Docker sandbox
    #[command(subcommand)]
    Image(Image),
    /// Write the input that a spec describes, or propose a spec for sample inputs
    Input(InputArgs),
    /// Work with profiles in Perun's format
    #[command(subcommand)]
    Perun(perun::Perun),
    /// Check which sandboxes work on this host, and what disturbs measurements
    Doctor(DoctorArgs),
}

#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent flag")]
pub(crate) struct RunArgs {
    /// C++17 source file
    #[arg(value_name = "FILE.cpp")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Folder of input files: 1000.in, 5000.in, ... [default: the program reads one line, n]
    #[arg(long, value_name = "DIR")]
    pub(crate) inputs: Option<PathBuf>,
    /// Input spec in JSON or YAML; give several to find the worst case among them
    #[arg(long, value_name = "FILE", conflicts_with = "inputs")]
    pub(crate) input_spec: Vec<PathBuf>,
    /// Task file in SwiftSolve's format: gives bounds, limits and, if present, the input spec;
    /// growth above the expected complexity is a warning
    #[arg(long, value_name = "FILE.json")]
    pub(crate) task: Option<PathBuf>,
    /// Run the task's test cases first; a wrong answer is a warning
    #[arg(long, requires = "task", conflicts_with = "interactor")]
    pub(crate) test_cases: bool,
    /// Interactor of an interactive task: C++17, connected by pipes; its first argument names the
    /// input file
    #[arg(long, value_name = "FILE.cpp", conflicts_with_all = ["debug", "instructions", "allocations"])]
    pub(crate) interactor: Option<PathBuf>,
    /// How the sizes are chosen
    #[arg(long, value_enum, default_value_t, conflicts_with_all = ["sizes", "inputs"])]
    pub(crate) schedule: Schedule,
    /// Measure exactly these increasing sizes: 1000,5000 [default: 0, 1, 1000, 5000, 10000, 50000,
    /// 100000]
    #[arg(long, value_delimiter = ',', value_parser = size, allow_hyphen_values = true)]
    #[arg(value_name = "N,N,...", conflicts_with = "n_max")]
    pub(crate) sizes: Vec<u32>,
    /// Largest size: skips larger default sizes, and bounds schedules and specs
    #[arg(long, value_parser = size, allow_hyphen_values = true, value_name = "N")]
    pub(crate) n_max: Option<u32>,
    /// Variable of the task that is the size [default: the only one, else n]
    #[arg(long, value_name = "NAME")]
    pub(crate) size_variable: Option<String>,
    /// Time limit of one run: 2s, 500ms [default: 2s]
    #[arg(long, value_parser = duration, allow_hyphen_values = true)]
    pub(crate) timeout: Option<Duration>,
    /// Limit of resident memory of one run, in MiB [default: 512]
    #[arg(long, allow_hyphen_values = true, value_name = "MIB")]
    pub(crate) memory_mb: Option<u32>,
    /// Compiler flags, which replace the default ones [default: "-O2 -std=c++17"]
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) flags: Option<String>,
    /// Profile: cost by line and function
    #[arg(long)]
    pub(crate) debug: bool,
    /// Count the executed instructions at every size
    #[arg(long)]
    pub(crate) instructions: bool,
    /// Evidence for the complexity estimate
    #[arg(long, value_enum, default_value_t)]
    pub(crate) growth: Growth,
    /// Record the allocations at the largest size
    #[arg(long)]
    pub(crate) allocations: bool,
    /// Include the figures of every repetition, with --format json
    #[arg(long)]
    pub(crate) raw_samples: bool,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Type of the Perun profile, with --format perun
    #[arg(long, value_enum, default_value_t, value_name = "TYPE")]
    pub(crate) perun_type: PerunType,
    /// Format of the progress on stderr
    #[arg(long, value_enum, default_value_t)]
    pub(crate) progress: Progress,
    /// Run on this server: http://HOST:PORT or unix:PATH
    #[arg(long, value_name = "URL", conflicts_with_all = ["backend", "image"])]
    pub(crate) endpoint: Option<String>,
    /// Reaction to a size above the memory limit
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_memory_limit: OnMemoryLimit,
    /// Clock of the headline
    #[arg(long, value_enum, default_value_t)]
    pub(crate) clock: Clock,
}

/// The meaning of the exit codes of `compare`.
const COMPARED: &str = "\
Two programs run in turn, with the same options.

Exit code 0: B is faster, or the difference may be chance
          1: B is slower
          2: wrong options or files, or a run ended early
          3: internal error, or a fault of the host
          4: no verdict; the last line says why, and what helps";

/// What to compare.
#[derive(Debug, Args)]
#[command(after_help = COMPARED)]
#[command(mut_arg("file", |file| file.index(1).value_name("A").help("C++17 source file, or a report saved as JSON")))]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Program or report to compare with A, of the same kind
    #[arg(index = 2, value_name = "B")]
    pub(crate) other: PathBuf,
}

/// The sandbox in which programs run.
#[derive(Debug, Clone, Args)]
pub(crate) struct SandboxArgs {
    /// Sandbox in which programs run
    #[arg(long, value_enum, default_value_t, value_name = "BACKEND")]
    pub(crate) backend: Backend,
    /// Image of the Docker sandbox
    #[arg(long, default_value = DEFAULT_TAG, value_name = "NAME:TAG")]
    pub(crate) image: String,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on: IP:PORT or unix:PATH
    #[arg(long, default_value = DEFAULT_LISTEN, value_name = "ADDR")]
    pub(crate) listen: Address,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Settings in TOML; environment variables override them
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Folder that stores the runs, one for each server [default: /var/lib/swiftprof for root, else
    /// ~/.local/state/swiftprof]
    #[arg(long, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,
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

/// Examples and exit codes of `input`.
const INPUTS: &str = "\
Examples:
  swiftprof input --infer sample1.txt sample2.txt > spec.yaml
  swiftprof input spec.yaml --n 10
  swiftprof run program.cpp --input-spec spec.yaml

Exit code 0: the input, the spec or the list was written
          2: wrong options or files
          4: the samples can be read in several ways, or in none";

/// What to do with inputs.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("task").required(true)), after_help = INPUTS)]
pub(crate) struct InputArgs {
    /// Input spec in JSON or YAML, whose input of size --n is written
    #[arg(value_name = "FILE", group = "task", requires = "n")]
    pub(crate) file: Option<PathBuf>,
    /// Size of the input
    #[arg(long, value_parser = size, allow_hyphen_values = true, requires = "file")]
    pub(crate) n: Option<u32>,
    /// Upper bound of n in the task
    #[arg(long, value_parser = size, allow_hyphen_values = true, value_name = "N", requires = "file")]
    pub(crate) n_max: Option<u32>,
    /// Name of the spec within the file [default: the first]
    #[arg(long, requires = "file")]
    pub(crate) name: Option<String>,
    /// Propose a spec whose inputs have the layout of these sample inputs
    #[arg(long, value_name = "SAMPLE", num_args = 1.., group = "task")]
    pub(crate) infer: Vec<PathBuf>,
    /// List the kinds of variables, with their fields
    #[arg(long, group = "task")]
    pub(crate) kinds: bool,
    /// Print a spec that has a variable of this kind
    #[arg(long, value_name = "KIND", group = "task")]
    pub(crate) example: Option<String>,
    /// Print the JSON schema of specs, for editors
    #[arg(long, group = "task")]
    pub(crate) schema: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Image of the Docker sandbox
    #[arg(long, default_value = DEFAULT_TAG, value_name = "NAME:TAG")]
    pub(crate) image: String,
    /// Format of the findings
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: DoctorFormat,
}

fn size(text: &str) -> Result<u32, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|&size| size <= MAX_SIZE)
        .ok_or_else(|| format!("give a whole number in 0..={MAX_SIZE}"))
}

fn duration(text: &str) -> Result<Duration, String> {
    TIME_UNITS
        .iter()
        .find_map(|(suffix, seconds)| Some((text.strip_suffix(suffix)?, seconds)))
        .and_then(|(number, seconds)| Some(number.trim().parse::<f64>().ok()? * seconds))
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "give a time with its unit: 2s, 500ms".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    fn run(args: &[&str]) -> Result<RunArgs, clap::Error> {
        let line = ["swiftprof", "run", "a.cpp"].iter().chain(args);
        match Cli::try_parse_from(line)?.command {
            Command::Run(args) => Ok(*args),
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
    fn without_options_the_profiler_decides() {
        let args = run(&[]).unwrap();
        assert_eq!(args.sandbox.backend, Backend::Auto);
        assert_eq!(args.sandbox.image, DEFAULT_TAG);
        assert_eq!(args.format, Format::Table);
        assert!(args.sizes.is_empty() && args.timeout.is_none() && args.memory_mb.is_none());
    }

    #[test]
    fn compared_files_keep_their_order() {
        let line = ["swiftprof", "compare", "a.cpp", "--debug", "b.cpp"];
        let Command::Compare(args) = Cli::try_parse_from(line).unwrap().command else { panic!() };
        let files = [&args.run.file, &args.other].map(|file| file.display().to_string());
        assert_eq!((files, args.run.debug), (["a.cpp".into(), "b.cpp".into()], true));
    }

    #[test]
    fn sizes_are_separated_by_commas() {
        assert_eq!(run(&["--sizes", "0,1, 1000"]).unwrap().sizes, [0, 1, 1000]);
    }

    #[test]
    fn bad_sizes_name_the_flag_and_the_range() {
        for bad in ["-5,10", "ten", "1,,2", "1000000001"] {
            let text = refusal(&["--sizes", bad]);
            assert!(text.contains("--sizes") && text.contains("0..=1000000000"), "{text}");
        }
    }

    #[test]
    fn times_have_units() {
        let timeout = |text| run(&["--timeout", text]).map(|args| args.timeout);
        assert_eq!(timeout("2s").unwrap(), Some(Duration::from_secs(2)));
        assert_eq!(timeout("1.5s").unwrap(), Some(Duration::from_millis(1500)));
        assert_eq!(timeout("500ms").unwrap(), Some(Duration::from_millis(500)));
        for bad in ["2", "-1s", "s", "infs", "two s"] {
            assert!(refusal(&["--timeout", bad]).contains("2s, 500ms"), "{bad}");
        }
    }

    #[test]
    fn flags_may_begin_with_a_hyphen() {
        let args = run(&["--flags", "-O3 -std=c++20"]).unwrap();
        assert_eq!(args.flags.as_deref(), Some("-O3 -std=c++20"));
    }

    #[test]
    fn contradictions_are_refused() {
        for pair in [["--sizes=1", "--n-max=5"], ["--endpoint=http://h:1", "--backend=native"]] {
            let kind = run(&pair).unwrap_err().kind();
            assert_eq!(kind, ErrorKind::ArgumentConflict, "{pair:?}");
        }
    }
}
