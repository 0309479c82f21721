//! What can be typed. Parsing checks the form of each argument; what the values mean together is the
//! job's to check.

use clap::{Args, Parser, Subcommand, ValueEnum};
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
    /// Serve the profiler over gRPC
    Serve(ServeArgs),
    /// The Docker sandbox's image
    #[command(subcommand)]
    Image(Image),
    /// Say which sandboxes work on this host, and what disturbs measurements
    Doctor(DoctorArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The C++17 source
    #[arg(value_name = "FILE.cpp")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Folder of inputs: 1000.in, 5000.in, ... [default: size n is fed "n\n"]
    #[arg(long, value_name = "DIR")]
    pub(crate) inputs: Option<PathBuf>,
    /// Exactly these sizes, rising: 1000,5000 [default: 0, 1, 1000, 5000, 10000, 50000, 100000]
    #[arg(long, value_delimiter = ',', value_parser = size, allow_hyphen_values = true)]
    #[arg(value_name = "N,N,...", conflicts_with = "n_max")]
    pub(crate) sizes: Vec<u32>,
    /// Leave out default sizes above this one
    #[arg(long, value_parser = size, allow_hyphen_values = true, value_name = "N")]
    pub(crate) n_max: Option<u32>,
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
    /// Also give the figures of every run, with --format json
    #[arg(long)]
    pub(crate) raw_samples: bool,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
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

/// Where programs run.
#[derive(Debug, Args)]
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
pub(crate) struct DoctorArgs {
    /// The Docker sandbox's image
    #[arg(long, default_value = DEFAULT_TAG, value_name = "NAME:TAG")]
    pub(crate) image: String,
    /// How the findings are printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: DoctorFormat,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// Docker if a daemon answers and has the image, else native
    #[default]
    Auto,
    /// A container for each job
    Docker,
    /// Namespaces, without a daemon
    Native,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Table,
    /// Everything, as proto3 JSON
    Json,
    /// The controller's strict report
    Swiftsolve,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoctorFormat {
    /// For people
    #[default]
    Table,
    /// For programs
    Json,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    /// A bar on a terminal, else plain lines
    #[default]
    Auto,
    /// A bar
    Bar,
    /// One line for each step
    Plain,
    /// One JSON object for each event
    Json,
    /// Nothing
    None,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnMemoryLimit {
    /// End the run with what it has
    #[default]
    Abort,
    /// Record the size as infinite and go on
    Record,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Clock {
    /// Unloaded, or wall for programs of several threads or processes
    #[default]
    Auto,
    /// Wall clock less the time spent waiting for a processor
    Unloaded,
    /// Wall clock
    Wall,
    /// Processor time of the process tree
    Cpu,
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
