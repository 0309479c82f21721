//! What can be typed. Parsing checks the form of each argument; what the values mean together is the
//! job's to check.

mod choice;
pub(crate) mod perun;

pub(crate) use choice::{
    Backend, Clock, DoctorFormat, Format, Growth, OnMemoryLimit, PerunType, Progress, Schedule,
};

use clap::{Args, Parser, Subcommand};
use profiler_core::limits::MAX_SIZE;
use profiler_server::Address;
use sandbox_image::{DEFAULT_BASE, DEFAULT_TAG};
use std::path::PathBuf;
use std::time::Duration;

/// The address that `serve` listens on by default: this machine alone.
const DEFAULT_LISTEN: &str = "127.0.0.1:50051";
/// Units of `--timeout`, longest suffix first, with their seconds.
const TIME_UNITS: [(&str, f64); 3] = [("ms", 1e-3), ("us", 1e-6), ("s", 1.0)];

/// Measures time and memory of C++ programs in a sandbox, over growing inputs.
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
    /// Say which of two programs, or of two saved reports, is faster
    Compare(Box<CompareArgs>),
    /// Serve the profiler over gRPC
    Serve(ServeArgs),
    /// The Docker sandbox's image
    #[command(subcommand)]
    Image(Image),
    /// Write the input that a spec describes
    Input(InputArgs),
    /// Work with profiles in the format of Perun
    #[command(subcommand)]
    Perun(perun::Perun),
    /// Say which sandboxes work on this host, and what disturbs measurements
    Doctor(DoctorArgs),
}

#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct RunArgs {
    /// The C++17 source
    #[arg(value_name = "FILE.cpp")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Folder of inputs: 1000.in, 5000.in, ... [default: size n is fed "n\n"]
    #[arg(long, value_name = "DIR")]
    pub(crate) inputs: Option<PathBuf>,
    /// What the inputs look like: a spec in JSON or YAML. Several are candidates for the worst case
    #[arg(long, value_name = "FILE", conflicts_with = "inputs")]
    pub(crate) input_spec: Vec<PathBuf>,
    /// The task, in SwiftSolve's format: bounds, limits and, if it has one, the input spec are taken from it,
    /// and growth that is faster than it expects is a warning
    #[arg(long, value_name = "FILE.json")]
    pub(crate) task: Option<PathBuf>,
    /// Run the task's test cases first; a wrong answer is a warning
    #[arg(long, requires = "task", conflicts_with = "interactor")]
    pub(crate) test_cases: bool,
    /// The other side of an interactive task: C++17, connected by pipes, with the input in the file that
    /// its first argument names
    #[arg(long, value_name = "FILE.cpp", conflicts_with_all = ["debug", "instructions", "allocations"])]
    pub(crate) interactor: Option<PathBuf>,
    /// How the sizes are chosen
    #[arg(long, value_enum, default_value_t, conflicts_with_all = ["sizes", "inputs"])]
    pub(crate) schedule: Schedule,
    /// Exactly these sizes, rising: 1000,5000 [default: 0, 1, 1000, 5000, 10000, 50000, 100000]
    #[arg(long, value_delimiter = ',', value_parser = size, allow_hyphen_values = true)]
    #[arg(value_name = "N,N,...", conflicts_with = "n_max")]
    pub(crate) sizes: Vec<u32>,
    /// Leave out default sizes above this one; the bound of the size, for a schedule and for specs
    #[arg(long, value_parser = size, allow_hyphen_values = true, value_name = "N")]
    pub(crate) n_max: Option<u32>,
    /// Which of a task's variables is the size [default: the only one, else n]
    #[arg(long, value_name = "NAME")]
    pub(crate) size_variable: Option<String>,
    /// Time limit of one run: 2s, 500ms [default: 2s]
    #[arg(long, value_parser = duration, allow_hyphen_values = true)]
    pub(crate) timeout: Option<Duration>,
    /// Memory limit of one run, resident, in MiB [default: 512]
    #[arg(long, allow_hyphen_values = true, value_name = "MIB")]
    pub(crate) memory_mb: Option<u32>,
    /// Flags for g++, instead of the default ones [default: "-O2 -std=c++17"]
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) flags: Option<String>,
    /// Also name the lines that the time goes to
    #[arg(long)]
    pub(crate) debug: bool,
    /// Also count the instructions of every size
    #[arg(long)]
    pub(crate) instructions: bool,
    /// What growth is told from
    #[arg(long, value_enum, default_value_t)]
    pub(crate) growth: Growth,
    /// Also record what the largest size allocates
    #[arg(long)]
    pub(crate) allocations: bool,
    /// Also give the figures of every run, with --format json
    #[arg(long)]
    pub(crate) raw_samples: bool,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Which profile of Perun's, with --format perun
    #[arg(long, value_enum, default_value_t, value_name = "TYPE")]
    pub(crate) perun_type: PerunType,
    /// How progress is shown on stderr
    #[arg(long, value_enum, default_value_t)]
    pub(crate) progress: Progress,
    /// Profile on this server: http://HOST:PORT or unix:PATH
    #[arg(long, value_name = "URL", conflicts_with_all = ["backend", "image"])]
    pub(crate) endpoint: Option<String>,
    /// What a size over the memory limit does to the run
    #[arg(long, value_enum, default_value_t)]
    pub(crate) on_memory_limit: OnMemoryLimit,
    /// The clock of the headline figure
    #[arg(long, value_enum, default_value_t)]
    pub(crate) clock: Clock,
}

/// What the exit codes of `compare` mean.
const COMPARED: &str = "\
Two programs are run in turn with the same options.

Exit code 0: B is faster, or there is no difference beyond chance
          1: B is slower
          2: bad usage or input, or a program that ended early
          3: the profiler's fault, or the host's
          4: cannot tell; the last line says why, and what helps";

/// What is compared.
#[derive(Debug, Args)]
#[command(after_help = COMPARED)]
#[command(mut_arg("file", |file| file.index(1).value_name("A").help("A C++17 source, or a report that was saved as JSON")))]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// What it is compared with, of the same kind
    #[arg(index = 2, value_name = "B")]
    pub(crate) other: PathBuf,
}

/// Where programs run.
#[derive(Debug, Clone, Args)]
pub(crate) struct SandboxArgs {
    /// Where programs run
    #[arg(long, value_enum, default_value_t, value_name = "BACKEND")]
    pub(crate) backend: Backend,
    /// The Docker sandbox's image
    #[arg(long, default_value = DEFAULT_TAG, value_name = "NAME:TAG")]
    pub(crate) image: String,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Where to listen: IP:PORT or unix:PATH
    #[arg(long, default_value = DEFAULT_LISTEN, value_name = "ADDR")]
    pub(crate) listen: Address,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Settings in TOML; those of the environment stand above them
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Where runs are kept; each server needs a folder of its own [default: /var/lib/swiftprof for root,
    /// else ~/.local/state/swiftprof]
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
    /// The image to build on
    #[arg(long, default_value = DEFAULT_BASE, value_name = "IMAGE")]
    pub(crate) base_image: String,
    /// Major version of GCC [default: the base image's own]
    #[arg(long, value_name = "MAJOR")]
    pub(crate) gcc_version: Option<String>,
    /// Name of the result
    #[arg(long, default_value = DEFAULT_TAG, value_name = "NAME:TAG")]
    pub(crate) tag: String,
}

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// The spec, in JSON or YAML
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The size
    #[arg(long, value_parser = size, allow_hyphen_values = true)]
    pub(crate) n: u32,
    /// The task's bound of n
    #[arg(long, value_parser = size, allow_hyphen_values = true, value_name = "N")]
    pub(crate) n_max: Option<u32>,
    /// Which of the file's specs, by its name [default: the first]
    #[arg(long)]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// The Docker sandbox's image
    #[arg(long, default_value = DEFAULT_TAG, value_name = "NAME:TAG")]
    pub(crate) image: String,
    /// How the findings are printed
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
    fn nothing_given_leaves_every_choice_to_the_profiler() {
        let args = run(&[]).unwrap();
        assert_eq!(args.sandbox.backend, Backend::Auto);
        assert_eq!(args.sandbox.image, DEFAULT_TAG);
        assert_eq!(args.format, Format::Table);
        assert!(args.sizes.is_empty() && args.timeout.is_none() && args.memory_mb.is_none());
    }

    #[test]
    fn what_is_compared_stands_in_its_order() {
        let line = ["swiftprof", "compare", "a.cpp", "--debug", "b.cpp"];
        let Command::Compare(args) = Cli::try_parse_from(line).unwrap().command else { panic!() };
        let files = [&args.run.file, &args.other].map(|file| file.display().to_string());
        assert_eq!((files, args.run.debug), (["a.cpp".into(), "b.cpp".into()], true));
    }

    #[test]
    fn sizes_stand_between_commas() {
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
