//! `compare`: tells which of two programs, or of two saved reports, is faster, and whether the
//! difference is real.
//!
//! Programs are profiled in turn.

pub(super) mod gate;

use super::run::turns::{Entry, profile_in_turn};
use crate::args::{CompareArgs, ResultFormat};
use crate::exit::{Exit, Failure};
use crate::{output, saved_report};
use profiler_compare::{Program, Verdict, compare_programs};
use profiler_core::sandbox::Cores;
use profiler_export::Ending;
use profiler_proto::json;
use std::path::Path;

/// The extension of a saved report.
const SAVED_EXTENSION: &str = "json";

/// Compares two programs or reports, and prints the result.
pub(crate) async fn compare(args: &CompareArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    let [a, b] = programs(args, cores).await?;
    let comparison = compare_programs(&a, &b);
    match args.format {
        ResultFormat::Json => {
            let json = json::pretty(&comparison);
            output::print(&json.map_err(Failure::broken("write the result"))?)?;
        }
        ResultFormat::Table => {
            output::print(&profiler_compare::text(&comparison, &output::text_options()))?;
        }
    }
    Ok(match comparison.verdict {
        Verdict::Slower => Exit::Unsuccessful,
        Verdict::Faster | Verdict::Same => Exit::Done,
        Verdict::Unknown => Exit::CannotTell,
    })
}

async fn programs(args: &CompareArgs, cores: Option<Cores>) -> Result<[Program; 2], Failure> {
    let files = [&args.a, &args.b];
    match files.map(|file| is_saved(file)) {
        [true, true] => {
            let program = |path: &Path| -> Result<Program, Failure> {
                Ok(Program {
                    name: path.display().to_string(),
                    reports: vec![saved_report::read_report(path)?],
                })
            };
            let [a, b] = files;
            Ok([program(a)?, program(b)?])
        }
        [false, false] => in_turn(args, cores).await,
        _ => Err(Failure::argument("B", "give two programs, or two reports saved as .json")),
    }
}

fn is_saved(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == SAVED_EXTENSION)
}

/// Profiles both programs in turn, in the order A, B, B, A.
async fn in_turn(args: &CompareArgs, cores: Option<Cores>) -> Result<[Program; 2], Failure> {
    let entries = [Entry { file: &args.a, label: "A" }, Entry { file: &args.b, label: "B" }];
    let mut endings = profile_in_turn(&args.job, &entries, cores).await?.into_iter();
    let [a, b] = entries.map(|entry| (entry.file, endings.next().unwrap_or_default()));
    Ok([program(a.0, a.1)?, program(b.0, b.1)?])
}

/// A program with its reports. A run that ended early has none.
fn program(file: &Path, endings: Vec<Ending>) -> Result<Program, Failure> {
    let name = file.display().to_string();
    let report = |ending| match ending {
        Ending::Report(report) => Ok(*report),
        Ending::Error(error) => Err(Failure::ended_early(&name, &error)),
    };
    let reports = endings.into_iter().map(report).collect::<Result<_, _>>()?;
    Ok(Program { name, reports })
}
