//! A run's ending as text. Everything here works on the wire's types, so that a run in this process
//! and one on a server look the same.

mod compile;
mod ending;
mod failure;
mod number;
mod plot;
mod report;
mod table;
mod words;

pub(crate) use number::{figure, readable};
pub(crate) use words::outcome_name;

use crate::args::Format;
use crate::exit::{Exit, Failure};
use crate::palette::Palette;
use profiler_proto::{StrictReport, json, v1};

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ending {
    Report(Box<v1::ProfileReport>),
    Error(Box<v1::SandboxError>),
}

impl Ending {
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Report(_) => Exit::Done,
            Self::Error(_) => Exit::SandboxError,
        }
    }
}

/// The ending in the asked form. A run that ended early has no strict report, for that one holds
/// every size that was asked for: its error is written in full.
pub(crate) fn text(ending: &Ending, format: Format, palette: &Palette) -> Result<String, Failure> {
    let written = match (format, ending) {
        (Format::Table, Ending::Report(report)) => Ok(report::text(report, palette)),
        (Format::Table, Ending::Error(error)) => Ok(ending::text(error, palette)),
        (Format::Json, Ending::Report(report)) => json::to_string_pretty(&**report),
        (Format::Swiftsolve, Ending::Report(report)) => strict(report),
        (Format::Json | Format::Swiftsolve, Ending::Error(error)) => {
            json::to_string_pretty(&**error)
        }
    };
    written.map_err(Failure::broken("write the result"))
}

fn strict(report: &v1::ProfileReport) -> Result<String, json::Error> {
    Ok(serde_json::to_string_pretty(&StrictReport::from(report))?)
}

#[cfg(test)]
mod tests;
