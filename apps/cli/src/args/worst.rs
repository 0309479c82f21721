//! The arguments of the search for the worst input.

use super::value::duration_up_to;
use super::{ProgramArgs, Progress, ResultFormat, SandboxArgs};
use clap::{Args, value_parser};
use profiler_core::limits::{MAX_WORST_EXECUTIONS, MAX_WORST_TIME, WORST_EXECUTIONS, WORST_SIZE};
use profiler_input::size;
use profiler_proto::v1::WorstGoal;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const INPUT: &str = "Inputs";
const OUTPUT: &str = "Output";
/// Default time for trying inputs.
const TIME: &str = "60s";
const INSTRUCTIONS: &str = "instructions";
const LINE: &str = "line";

/// A program, and the inputs among which its worst one is searched for.
#[derive(Debug, Args)]
pub(crate) struct WorstArgs {
    /// C++ source file, or - for stdin
    #[arg(value_name = "FILE.cpp")]
    pub(crate) file: PathBuf,
    /// Input spec in JSON or YAML; the random inputs are those of the first spec in the file
    #[arg(long, value_name = "SPEC", help_heading = INPUT)]
    pub(crate) input_spec: PathBuf,
    /// Only the spec of this name
    #[arg(long, help_heading = INPUT)]
    pub(crate) name: Option<String>,
    /// Size of the worst input; if it is 64 or more, the search runs at an eighth of it
    #[arg(long, value_parser = size, allow_hyphen_values = true, default_value_t = WORST_SIZE)]
    #[arg(help_heading = INPUT)]
    pub(crate) n: u64,
    /// Bound of n in the spec [default: no bound]
    #[arg(long, value_parser = size, allow_hyphen_values = true, value_name = "N")]
    #[arg(help_heading = INPUT, hide_short_help = true)]
    pub(crate) n_max: Option<u64>,
    /// Cost to maximize: instructions, memory, allocations, or line `K` or `FILE:K`
    #[arg(long = "for", value_parser = goal, default_value = INSTRUCTIONS, value_name = "WHAT")]
    #[arg(help_heading = INPUT)]
    pub(crate) goal: (WorstGoal, u32, String),
    /// Try at most this many inputs
    #[arg(long, default_value_t = WORST_EXECUTIONS, value_parser = value_parser!(u32).range(1..=i64::from(MAX_WORST_EXECUTIONS)))]
    #[arg(value_name = "COUNT", help_heading = INPUT)]
    pub(crate) executions: u32,
    /// Time limit for trying inputs, without compiling and what follows: 500ms, 60s or 60
    #[arg(long, value_parser = duration_up_to(MAX_WORST_TIME), default_value = TIME)]
    #[arg(value_name = "TIME", help_heading = INPUT)]
    pub(crate) seconds: Duration,
    /// Seed of the search, and of the first random input
    #[arg(long, default_value_t = 0, value_name = "S", help_heading = INPUT)]
    pub(crate) seed: u32,
    /// testlib.h, or its folder [default: next to the generator]
    #[arg(long, value_name = "PATH", help_heading = INPUT, hide_short_help = true)]
    pub(crate) testlib: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
    /// Keep the worst input in this file
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Keep the spec that makes such inputs of every size in this file
    #[arg(long, value_name = "FILE.json", value_parser = json_file, help_heading = OUTPUT)]
    pub(crate) output_spec: Option<PathBuf>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t, help_heading = OUTPUT)]
    pub(crate) format: ResultFormat,
    /// Format of the progress on stderr
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = OUTPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) progress: Progress,
}

/// Parses the cost to make as large as possible. The number and the file are those of the line in
/// `line 12`, `line:12` or `line util.cpp:12`; 0 and empty for other costs.
fn goal(text: &str) -> Result<(WorstGoal, u32, String), String> {
    let without_line = |goal| Ok((goal, 0, String::new()));
    match text {
        INSTRUCTIONS => without_line(WorstGoal::Instructions),
        "memory" => without_line(WorstGoal::Memory),
        "allocations" => without_line(WorstGoal::Allocations),
        other => {
            let after = other.strip_prefix(LINE).and_then(|it| it.strip_prefix([' ', ':', '=']));
            let (file, line) = after.and_then(place).ok_or(
                "must be instructions, memory, allocations, or a line, such as line 12 or line \
                 util.h:12",
            )?;
            Ok((WorstGoal::Line, line, file.into()))
        }
    }
}

/// Parses a line, `12` or `util.cpp:12`. The file of the first one is empty.
fn place(text: &str) -> Option<(&str, u32)> {
    let (file, line) = text.rsplit_once(':').unwrap_or(("", text));
    Some((file, line.parse().ok()?))
}

/// Joins the words `line 12` after `--for` into one value.
pub(crate) fn with_lines_joined(given: Vec<OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    for argument in given {
        let is_line = argument.to_str().is_some_and(|it| place(it).is_some());
        match joined.as_mut_slice() {
            [.., option, value] if option == "--for" && value == LINE && is_line => {
                value.push(" ");
                value.push(argument);
            }
            _ => joined.push(argument),
        }
    }
    joined
}

/// Parses the path of a JSON file. Its name must end in `.json`, because the reader of a spec
/// chooses the format by the name.
fn json_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_json = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("json"));
    if is_json { Ok(path) } else { Err("must end in .json".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::value::duration;
    use crate::args::{Cli, Command};
    use clap::Parser;
    use profiler_core::limits::WORST_TIME;

    #[test]
    fn page_has_the_defaults() {
        let page = include_str!("../../../../docs/worst.md");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for promise in [
            format!("`--n` ({WORST_SIZE})"),
            format!("`--executions` ({WORST_EXECUTIONS})"),
            format!("`--seconds` ({TIME})"),
        ] {
            assert!(page.contains(&promise), "{promise}");
        }
        assert_eq!(duration(TIME), Ok(WORST_TIME), "the same as in a job");
    }

    #[test]
    fn goal_is_a_word_and_a_line_has_its_number() {
        let goal = |words: &[&str]| {
            let line = ["swiftprof", "worst", "--for"].iter().chain(words);
            let line = line.chain(&["a.cpp", "--input-spec", "s.yaml"]).map(OsString::from);
            match Cli::try_parse_from(with_lines_joined(line.collect())).ok()?.command {
                Command::Worst(args) => Some(args.goal),
                _ => None,
            }
        };
        let none = String::new;
        assert_eq!(goal(&["memory"]), Some((WorstGoal::Memory, 0, none())));
        assert_eq!(goal(&["allocations"]), Some((WorstGoal::Allocations, 0, none())));
        for line in [&["line", "12"][..], &["line 12"], &["line:12"], &["line=12"]] {
            assert_eq!(goal(line), Some((WorstGoal::Line, 12, none())), "{line:?}");
        }
        for line in [&["line", "src/a.h:12"][..], &["line:src/a.h:12"]] {
            assert_eq!(goal(line), Some((WorstGoal::Line, 12, "src/a.h".into())), "{line:?}");
        }
        for bad in [&["line"][..], &["line", "x"], &["line", "a.h:"], &["lines:3"], &["time"]] {
            assert_eq!(goal(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn amounts_have_bounds() {
        let line = ["swiftprof", "worst", "a.cpp", "--input-spec", "s.yaml"];
        let parsed = |args: &[&str]| Cli::try_parse_from(line.iter().chain(args));
        assert!(parsed(&["--executions", "1000000", "--seconds", "3600"]).is_ok());
        for bad in [["--executions", "0"], ["--executions", "1000001"], ["--seconds", "3601"]] {
            assert!(parsed(&bad).is_err(), "{bad:?}");
        }
        assert!(parsed(&["--output-spec", "spec.yaml"]).is_err());
        assert!(Cli::try_parse_from(&line[..3]).is_err(), "a spec is needed");
    }
}
