//! Flags of the options that `job.proto` declares.

use super::super::SANDBOX;
use super::super::value::share;
use super::program::LIMITS;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use profiler_proto::options::{JobOption, Kind, OPTIONS, Value, tools_job};
use profiler_proto::v1::{self, OptionHeading};
use std::path::{Path, PathBuf};

pub(super) const INPUT: &str = "Input and sizes";
pub(super) const MEASURED: &str = "What to measure";
const PERCENT: f64 = 100.0;
/// Field whose flag the command line declares by itself, because its value can also be a file.
const CHECKER: &str = "checker";
/// Extensions of programs in C++.
const EXTENSIONS: [&str; 3] = ["cpp", "cc", "cxx"];

/// Job with the options of the command line that `job.proto` declares. An option that is not given
/// has the default that the command line shares with the tools for agents.
#[derive(Debug, Clone)]
pub(crate) struct DeclaredArgs(pub(crate) v1::Job);

impl Args for DeclaredArgs {
    fn augment_args(command: Command) -> Command {
        command
            .args(flagged().map(argument))
            // `job.proto` does not declare these relations: they are about this command line only.
            .mut_arg("schedule", |it| it.conflicts_with_all(["sizes", "inputs"]))
            .mut_arg("same_pool_as", |it| it.requires("endpoint"))
            .mut_arg("hotspots", |it| it.alias("debug"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for DeclaredArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut args = Self(tools_job());
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for option in flagged() {
            set(option, &id(option.flag), matches, &mut self.0);
        }
        Ok(())
    }
}

/// Returns the options that have a flag and a plain value.
fn flagged() -> impl Iterator<Item = &'static JobOption> {
    let is_plain =
        |option: &&JobOption| !matches!(option.kind, Kind::Structured) && option.field != CHECKER;
    OPTIONS.iter().filter(is_plain).filter(|option| !option.flag.is_empty())
}

/// Value of `--checker`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CheckerChoice {
    /// Number of a value of `Checker`.
    Word(i32),
    /// File of a checker in C++.
    Program(PathBuf),
}

/// Parses the value of `--checker`.
pub(in crate::args) fn checker(text: &str) -> Result<CheckerChoice, String> {
    let option = OPTIONS.iter().find(|option| option.field == CHECKER);
    let values: &[Value] = match option.map(|option| &option.kind) {
        Some(Kind::Choice { values, .. }) => values,
        _ => &[],
    };
    if let Some(value) = values.iter().find(|value| value.word == text) {
        return Ok(CheckerChoice::Word(value.number));
    }
    let extension = Path::new(text).extension().unwrap_or_default();
    if EXTENSIONS.iter().any(|it| extension.eq_ignore_ascii_case(it)) {
        return Ok(CheckerChoice::Program(text.into()));
    }
    let words: Vec<_> = values.iter().map(|value| value.word).collect();
    let file = "a file whose name ends in .cpp, .cc or .cxx";
    Err(format!("must be {}, or {file}", words.join(", ")))
}

fn id(flag: &str) -> String {
    flag.replace('-', "_")
}

/// Builds the argument whose flag sets the option.
fn argument(option: &'static JobOption) -> Arg {
    let excluded = option.excludes.iter().filter_map(|it| {
        let other = OPTIONS.iter().find(|other| other.field == it.field && !other.flag.is_empty());
        other.map(|other| id(other.flag))
    });
    let argument = Arg::new(id(option.flag))
        .long(option.flag)
        .help(option.summary())
        .help_heading(heading(option.heading))
        .hide_short_help(option.is_advanced)
        .conflicts_with_all(excluded);
    let argument = match option.meaning.strip_suffix('.') {
        Some(all) if all == option.summary() => argument,
        _ => argument.long_help(option.meaning),
    };
    match &option.kind {
        Kind::Switch { .. } => argument.action(ArgAction::SetTrue),
        kind => {
            let argument = argument.value_name(option.value_name).value_parser(parser(kind));
            match kind {
                Kind::Choice { default, .. } => argument.default_value(*default),
                // Parse -5 as a number that is out of range, and not as a flag.
                Kind::Count { .. } | Kind::Number { .. } => argument.allow_hyphen_values(true),
                _ => argument,
            }
        }
    }
}

fn parser(kind: &'static Kind) -> ValueParser {
    match kind {
        Kind::Count { range, .. } => ValueParser::new(move |text: &str| {
            let count = text.trim().parse().ok().filter(|count| range.contains(count));
            let (low, high) = (range.start(), range.end());
            count.ok_or_else(|| format!("must be a whole number from {low} to {high}"))
        }),
        Kind::Number { range, .. } => ValueParser::new(move |text: &str| {
            let given = share(text).ok().filter(|given| range.contains(given));
            let (low, high) = (range.start() * PERCENT, range.end() * PERCENT);
            given.ok_or_else(|| format!("must be a share from {low}% to {high}%"))
        }),
        Kind::Choice { values, .. } => {
            let words = values.iter().map(|it| PossibleValue::new(it.word).help(it.summary()));
            let number = |word: String| {
                values.iter().find(|it| it.word == word).map_or(0, |value| value.number)
            };
            PossibleValuesParser::new(words).map(number).into()
        }
        Kind::Switch { .. } | Kind::Text { .. } | Kind::Structured => ValueParser::string(),
    }
}

fn heading(heading: OptionHeading) -> &'static str {
    match heading {
        OptionHeading::Input => INPUT,
        OptionHeading::Limits => LIMITS,
        OptionHeading::Unspecified | OptionHeading::Measured => MEASURED,
        OptionHeading::Sandbox => SANDBOX,
    }
}

/// Sets the option in the job, if the command line has it.
fn set(option: &JobOption, id: &str, matches: &ArgMatches, job: &mut v1::Job) {
    match &option.kind {
        Kind::Switch { set } => set(job, matches.get_flag(id)),
        Kind::Count { set, .. } => given(id, matches, |value| set(job, value)),
        Kind::Number { set, .. } => given(id, matches, |value| set(job, value)),
        Kind::Text { set } => given(id, matches, |value| set(job, value)),
        Kind::Choice { set, .. } => given(id, matches, |value| set(job, value)),
        Kind::Structured => {}
    }
}

fn given<T: Clone + Send + Sync + 'static>(id: &str, matches: &ArgMatches, set: impl FnOnce(T)) {
    if let Some(value) = matches.get_one::<T>(id) {
        set(value.clone());
    }
}
