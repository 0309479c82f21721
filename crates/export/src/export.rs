//! Writes a run's ending in one of the formats.

use crate::ci::{self, CiForm};
use crate::ending::{Ending, Run};
use crate::error::{Error, MAX_BYTES};
use crate::text::TextOptions;
use crate::{call_stacks, csv, file_name, html, perun, text};
use profiler_proto::json;
use profiler_proto::v1::{ExportFormat, ExportRunResponse, ProfileReport};

/// Writes a run in one of the formats. The options apply to text. A run that ended early has no
/// strict report, because a strict report has every requested size; its whole error is written
/// instead.
///
/// # Errors
/// If the run lacks the data of the format, or the document would be larger than [`MAX_BYTES`].
pub fn export<'a>(
    run: impl Into<Run<'a>>,
    format: ExportFormat,
    options: &TextOptions,
) -> Result<ExportRunResponse, Error> {
    let run = run.into();
    let ending = run.ending;
    let ci = |form| ci::ci_document(&[run], form);
    let measured = measured(ending);
    let content = match format {
        ExportFormat::Unspecified => return Err(Error::Unspecified),
        ExportFormat::Json => full(ending)?.into_bytes(),
        ExportFormat::Swiftsolve => strict(ending)?.into_bytes(),
        ExportFormat::Csv => csv::table(measured?, &[])?,
        ExportFormat::CsvLong => csv::long(measured?)?,
        ExportFormat::Text => text::text(run, options).into_bytes(),
        ExportFormat::Html => page(ending).into_bytes(),
        ExportFormat::Folded => call_stacks::folded(measured?)?.into_bytes(),
        ExportFormat::FlameGraph => call_stacks::flame_graph(measured?)?,
        ExportFormat::PerunTime => perun::time(measured?)?,
        ExportFormat::PerunMixed => perun::mixed(measured?)?,
        ExportFormat::PerunMemory => perun::memory(measured?)?,
        ExportFormat::Junit => ci(CiForm::Junit)?,
        ExportFormat::Sarif => ci(CiForm::Sarif)?,
        ExportFormat::Github => ci(CiForm::Github)?,
    };
    let declared = format.declared().ok_or(Error::Unspecified)?;
    Ok(ExportRunResponse {
        file_name: format!("{}.{}", file_name::stem(ending.report()), declared.suffix),
        media_type: declared.media_type.into(),
        content: bounded(content)?,
    })
}

/// Writes a run's sizes as CSV with the given [`csv_columns`](csv::csv_columns), or with all if
/// none is given.
///
/// # Errors
/// If nothing was measured, there is no such column, or the document would be larger than
/// [`MAX_BYTES`].
pub fn export_csv(ending: &Ending, columns: &[String]) -> Result<Vec<u8>, Error> {
    bounded(csv::table(measured(ending)?, columns)?)
}

fn bounded(content: Vec<u8>) -> Result<Vec<u8>, Error> {
    if content.len() > MAX_BYTES { Err(Error::TooLarge) } else { Ok(content) }
}

fn measured(ending: &Ending) -> Result<&ProfileReport, Error> {
    let reason = "it ended before anything was measured";
    ending.report().ok_or(Error::Lacks { what: "figures", field: None, reason })
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
        Ending::Report(report) => json::strict(report),
        Ending::Error(error) => json::to_string_pretty(&**error),
    }
}
