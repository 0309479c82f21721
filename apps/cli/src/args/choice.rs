//! The values that options can have.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use profiler_core::sandbox::Choice;
use profiler_proto::formats::{FORMATS, Format};
use profiler_proto::v1::ExportFormat;

/// Value of `--format` that stands for all of Perun's formats; `--perun-type` chooses one of them.
const PERUN: &str = "perun";

/// Parses the name of a backend.
pub(super) fn backend() -> ValueParser {
    let values = Choice::ALL.map(|it| PossibleValue::new(it.name()).help(it.summary()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Choice>()).into()
}

/// Returns the parser of `--format`. The word `perun` gives one of Perun's formats.
pub(super) fn format() -> ValueParser {
    let values = FORMATS.chunk_by(|a, b| a.word == b.word).map(|same| match same {
        [only] => value(only, only.word),
        _ => PossibleValue::new(PERUN).help("Perun profile: see --perun-type"),
    });
    let format = |word: String| FORMATS.iter().find(|it| it.word == word).map(|it| it.value);
    PossibleValuesParser::new(values).map(move |word| format(word).unwrap_or_default()).into()
}

/// Returns the parser of `--perun-type`.
pub(super) fn perun_type() -> ValueParser {
    let types = || {
        FORMATS.iter().filter_map(|it| Some((it.name.strip_prefix(PERUN)?.strip_prefix('_')?, it)))
    };
    let format = move |word: String| types().find(|it| it.0 == word).map(|it| it.1.value);
    PossibleValuesParser::new(types().map(|(word, it)| value(it, word)))
        .map(move |word| format(word).unwrap_or_default())
        .into()
}

fn value(format: &Format, word: &'static str) -> PossibleValue {
    let needs = format.needed_flag().map(|flag| format!("; needs --{flag}")).unwrap_or_default();
    PossibleValue::new(word).help(format!("{}{needs}", format.summary))
}

/// Whether a format is one of Perun's.
pub(crate) fn is_perun(format: ExportFormat) -> bool {
    format.declared().is_some_and(|it| it.word == PERUN)
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultFormat {
    /// Text for people
    #[default]
    Table,
    /// JSON for programs
    Json,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    /// Bar on a terminal, else plain lines
    #[default]
    Auto,
    /// Progress bar
    Bar,
    /// One line for each step
    Plain,
    /// One JSON object for each event
    Json,
    /// Nothing
    None,
}
