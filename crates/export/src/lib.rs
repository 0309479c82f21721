//! A run's ending as a document: for people, for spreadsheets, for flame graph tools, for Perun.
//!
//! Everything here works on the wire's types, so that a run in this process, one on a server and one in
//! a file look the same. Names of functions, messages and stderr come from hostile programs: each format
//! writes them so that they stay text.

#![forbid(unsafe_code)]

mod csv;
mod curve;
mod file;
pub mod html;
mod palette;
mod perun;
mod samples;
mod stacks;
#[cfg(test)]
mod subject;
mod text;

pub use palette::Palette;
pub use samples::headline_ns;
pub use text::{figure, outcome_name, readable};

use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{AllocationFrame, ExportFormat, ProfileReport, SandboxError, WarningCode};
use profiler_proto::{StrictReport, json};

/// The file that the submitted source is compiled as.
const SOURCE_FILE: &str = "main.cpp";
/// The largest document, in bytes: below what clients read in one message.
pub const MAX_BYTES: usize = 48 << 20;

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// It came to its end.
    Report(Box<ProfileReport>),
    /// It ended early.
    Error(Box<SandboxError>),
}

/// Who asked for what was allocated: the innermost frame of the source, which says more than the libraries'
/// below it.
fn asker(trace: &[AllocationFrame]) -> Option<&AllocationFrame> {
    trace.iter().find(|frame| frame.file == SOURCE_FILE).or(trace.first())
}

/// Whether what is told of allocations are lower bounds: not all blocks could be followed.
fn has_allocation_bounds(report: &ProfileReport) -> bool {
    report.warnings.iter().any(|warning| warning.code() == WarningCode::AllocationsLowerBounds)
}

impl Ending {
    /// The ending that an event tells of, if it is the last one.
    pub fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Finished(report) => Some(Self::Report(Box::new(report))),
            Kind::Failed(error) => Some(Self::Error(Box::new(error))),
            Kind::Accepted(_)
            | Kind::Started(_)
            | Kind::Restarted(_)
            | Kind::Compiled(_)
            | Kind::SizeMeasured(_)
            | Kind::Heartbeat(_) => None,
        }
    }

    /// What was measured; of a run that ended early, until then.
    pub fn report(&self) -> Option<&ProfileReport> {
        match self {
            Self::Report(report) => Some(report),
            Self::Error(error) => error.partial.as_ref(),
        }
    }

    /// The same, for who adds to it.
    pub fn report_mut(&mut self) -> Option<&mut ProfileReport> {
        match self {
            Self::Report(report) => Some(report),
            Self::Error(error) => error.partial.as_mut(),
        }
    }
}

/// A document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// A name for its file, without any folder.
    pub file_name: String,
    /// Its media type.
    pub media_type: &'static str,
    /// Its content.
    pub content: Vec<u8>,
}

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The run has not what the format is made of.
    #[error("the run has no {what}: {reason}")]
    Lacks {
        /// What it is made of.
        what: &'static str,
        /// What the job must ask for, or what must have been measured.
        reason: &'static str,
    },
    /// No such format.
    #[error("choose a format")]
    Unspecified,
    /// The document is larger than [`MAX_BYTES`].
    #[error("the document has more than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// The message does not become JSON.
    #[error("json: {0}")]
    Json(#[from] json::Error),
    /// The figures do not become a profile of Perun's with its models.
    #[error("perun: {0}")]
    Perun(#[from] profiler_perun::Error),
    /// The table does not become CSV.
    #[error("csv: {0}")]
    Csv(#[from] ::csv::Error),
    /// The stacks do not become a picture.
    #[error("flame graph: {0}")]
    FlameGraph(std::io::Error),
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error.into())
    }
}

/// The ending in one of the formats; only the text has colours. A run that ended early has no strict report, for
/// that one holds every size that was asked for: its error is written in full.
pub fn export(ending: &Ending, format: ExportFormat, palette: &Palette) -> Result<Exported, Error> {
    let measured = ending
        .report()
        .ok_or(Error::Lacks { what: "figures", reason: "it ended before anything was measured" });
    let content = match format {
        ExportFormat::Unspecified => return Err(Error::Unspecified),
        ExportFormat::Json => full(ending)?.into_bytes(),
        ExportFormat::Swiftsolve => strict(ending)?.into_bytes(),
        ExportFormat::Csv => csv::table(measured?)?,
        ExportFormat::Text => text::text(ending, palette).into_bytes(),
        ExportFormat::Html => page(ending).into_bytes(),
        ExportFormat::Folded => stacks::folded(measured?)?.into_bytes(),
        ExportFormat::FlameGraph => stacks::flame_graph(measured?)?,
        ExportFormat::PerunTime => perun::time(measured?)?,
        ExportFormat::PerunMixed => perun::mixed(measured?)?,
        ExportFormat::PerunMemory => perun::memory(measured?)?,
    };
    if content.len() > MAX_BYTES {
        return Err(Error::TooLarge);
    }
    let (file_name, media_type) = file::named(ending.report(), format);
    Ok(Exported { file_name, media_type, content })
}

fn full(ending: &Ending) -> Result<String, json::Error> {
    match ending {
        Ending::Report(report) => json::to_string_pretty(&**report),
        Ending::Error(error) => json::to_string_pretty(&**error),
    }
}

fn page(ending: &Ending) -> String {
    match ending {
        Ending::Report(report) => html::page(report, None),
        Ending::Error(error) => html::page(&error.partial.clone().unwrap_or_default(), Some(error)),
    }
}

fn strict(ending: &Ending) -> Result<String, json::Error> {
    match ending {
        Ending::Report(report) => Ok(serde_json::to_string_pretty(&StrictReport::from(&**report))?),
        Ending::Error(error) => json::to_string_pretty(&**error),
    }
}

#[cfg(test)]
mod tests;
