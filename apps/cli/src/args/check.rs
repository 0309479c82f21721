//! The arguments of a stress test.

use super::ProgramArgs;
use super::job::{CheckerChoice, checker};
use super::value::{Sizes, duration_up_to};
use super::{Progress, ResultFormat, SandboxArgs};
use clap::{Args, value_parser};
use profiler_core::limits::{MAX_STRESS_INPUTS, MAX_STRESS_TIME, STRESS_INPUTS, STRESS_TIME};
use profiler_input::{size, sizes};
use std::path::PathBuf;
use std::time::Duration;

const INPUT: &str = "Inputs";
const JUDGE: &str = "Judge";
const OUTPUT: &str = "Output";
/// Word for the property that the words of an output do not decrease.
const SORTED: &str = "sorted";

/// Renders the default time for trying inputs.
fn default_time() -> String {
    format!("{}s", STRESS_TIME.as_secs())
}

/// Property of outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Property {
    /// The words do not decrease.
    Sorted,
    /// File of a program that decides.
    Program(PathBuf),
}

/// Parses the value of `--property`.
fn property(text: &str) -> Result<Property, String> {
    if text == SORTED {
        return Ok(Property::Sorted);
    }
    match checker(text) {
        Ok(CheckerChoice::Program(file)) => Ok(Property::Program(file)),
        _ => Err(format!("must be {SORTED}, or a program in C++ such as property.cpp")),
    }
}

/// The program in doubt, what judges its answers, and the inputs that it is run on.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// C++ source file of the program in doubt, or - for stdin
    #[arg(value_name = "FAST.cpp")]
    pub(crate) fast: PathBuf,
    /// C++ source file of a program to check it against, usually a brute force
    #[arg(value_name = "SLOW.cpp", required_unless_present_any = ["checker", "property"])]
    pub(crate) slow: Option<PathBuf>,
    /// Input spec in JSON or YAML; every spec in the file is tried
    #[arg(long, value_name = "SPEC", help_heading = INPUT)]
    pub(crate) input_spec: PathBuf,
    /// Only the spec of this name
    #[arg(long, help_heading = INPUT)]
    pub(crate) name: Option<String>,
    /// Increasing sizes [default: some large ones, and all that have an input up to 10]
    #[arg(long, value_parser = sizes, allow_hyphen_values = true)]
    #[arg(value_name = "N,N,...", conflicts_with = "n_max", help_heading = INPUT)]
    pub(crate) sizes: Vec<Sizes>,
    /// Largest size, and bound of n in the spec [default: 10, and no bound]
    #[arg(long, value_parser = size, allow_hyphen_values = true, value_name = "N")]
    #[arg(help_heading = INPUT)]
    pub(crate) n_max: Option<u64>,
    /// Try at most this many inputs
    #[arg(long, default_value_t = STRESS_INPUTS, value_parser = value_parser!(u32).range(1..=i64::from(MAX_STRESS_INPUTS)))]
    #[arg(value_name = "COUNT", help_heading = INPUT)]
    pub(crate) inputs: u32,
    /// Time for all runs, without compiling: 500ms, 60s or 60
    #[arg(long, value_parser = duration_up_to(MAX_STRESS_TIME), default_value = default_time())]
    #[arg(value_name = "TIME", help_heading = INPUT)]
    pub(crate) time: Duration,
    /// First seed, instead of the spec's own; the others follow it
    #[arg(long, default_value_t = 0, value_name = "S", help_heading = INPUT)]
    pub(crate) seed: u32,
    /// Comparison of the two answers: words, exact, caseless, numbers; or a checker in C++ that
    /// takes testlib's arguments. Without SLOW.cpp, its file of the expected output is empty
    #[arg(long, value_parser = checker, value_name = "WORD|FILE.cpp", help_heading = JUDGE)]
    pub(crate) checker: Option<CheckerChoice>,
    /// Property of every output: sorted, or a program in C++ that takes a checker's arguments and
    /// exits with 0 if an output has it, else with 1
    #[arg(long, value_parser = property, value_name = "sorted|FILE.cpp", help_heading = JUDGE)]
    #[arg(conflicts_with = "checker")]
    pub(crate) property: Option<Property>,
    /// testlib.h, or its folder [default: next to the program that includes it]
    #[arg(long, value_name = "PATH", help_heading = JUDGE, hide_short_help = true)]
    pub(crate) testlib: Option<PathBuf>,
    /// Do not also run FAST.cpp with AddressSanitizer and UndefinedBehaviorSanitizer
    #[arg(long, help_heading = JUDGE)]
    pub(crate) no_sanitize: bool,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Keep the differing input in this file
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t, help_heading = OUTPUT)]
    pub(crate) format: ResultFormat,
    /// Format of the progress on stderr
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = OUTPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) progress: Progress,
}

#[cfg(test)]
mod tests {
    use super::default_time;
    use crate::args::Cli;
    use clap::{CommandFactory, Parser};
    use profiler_core::limits::{STRESS_INPUTS, STRESS_N_MAX};

    #[test]
    fn help_has_the_defaults_and_the_place() {
        let help = Cli::command().find_subcommand_mut("check").unwrap().render_help().to_string();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for promise in [
            format!("up to {STRESS_N_MAX}]"),
            format!("[default: {STRESS_N_MAX}, and no bound]"),
            format!("500ms, 60s or 60 [default: {}]", default_time()),
            "143 stopped by SIGTERM".into(),
            "there is no --endpoint".into(),
        ] {
            assert!(help.contains(&promise), "{promise}\n{help}");
        }
    }

    #[test]
    fn page_has_the_defaults_and_limits() {
        let page = include_str!("../../../../docs/command-line.md");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for promise in [
            format!("to `--n-max` ({STRESS_N_MAX})"),
            format!("after `--inputs` ({STRESS_INPUTS}),"),
            format!("after `--time` ({}),", default_time()),
        ] {
            assert!(page.contains(&promise), "{promise}");
        }
    }

    #[test]
    fn amounts_have_bounds() {
        let line = ["swiftprof", "check", "a.cpp", "b.cpp", "--input-spec", "s.yaml"];
        let parsed = |args: &[&str]| Cli::try_parse_from(line.iter().chain(args));
        assert!(parsed(&["--inputs", "1000000", "--time", "3600"]).is_ok());
        for bad in [["--inputs", "0"], ["--inputs", "1000001"], ["--time", "3601"]] {
            assert!(parsed(&bad).is_err(), "{bad:?}");
        }
        assert!(Cli::try_parse_from(&line[..4]).is_err(), "a spec is needed");
        assert!(parsed(&["--sizes", "1,2", "--n-max", "3"]).is_err());
    }

    #[test]
    fn judge_may_replace_the_second_program() {
        let line = ["swiftprof", "check", "a.cpp", "--input-spec", "s.yaml"];
        let parsed = |args: &[&str]| Cli::try_parse_from(line.iter().chain(args));
        assert!(parsed(&[]).is_err());
        for judge in [["--checker", "c.cpp"], ["--property", "sorted"], ["--property", "p.cpp"]] {
            assert!(parsed(&judge).is_ok(), "{judge:?}");
        }
        assert!(parsed(&["--property", "words"]).is_err());
    }
}
