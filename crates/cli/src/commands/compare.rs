//! `compare`: tells which of two programs, or of two saved reports, is faster, and whether the
//! difference is real.
//!
//! Programs are profiled in the order A, B, B, A, so that a host that gradually slows down favours
//! neither.

mod clock;
mod comparison;
mod difference;
mod method;
mod pair;
mod program;
mod saved_report;
mod table;
mod unknown;
mod verdict;

use crate::args::{CompareArgs, Format, RunArgs};
use crate::commands::run::profile;
use crate::exit::{Exit, Failure};
use crate::{job_request, output};
use comparison::Verdict;
use profiler_core::sandbox::Cores;
use profiler_export::Ending;
use profiler_proto::v1::OnMemoryLimit;
use program::Program;
use std::path::{Path, PathBuf};

/// The extension of a saved report.
const SAVED_EXTENSION: &str = "json";
/// The order in which the two programs are profiled.
const TURNS: [usize; 4] = [0, 1, 1, 0];

/// Compares two programs or reports, and prints the result.
pub(crate) async fn compare(args: CompareArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    if !matches!(args.run.format, Format::Table | Format::Json) {
        return Err(Failure::argument("--format", "a comparison is printed as table or json"));
    }
    let [a, b] = programs(&args, cores).await?;
    let comparison = verdict::compare_programs(&a, &b);
    match args.run.format {
        Format::Json => {
            let json = serde_json::to_string_pretty(&comparison);
            output::print(&json.map_err(Failure::broken("write the result"))?)?;
        }
        _ => output::print(&table::text(&comparison, &output::palette()))?,
    }
    Ok(match comparison.verdict {
        Verdict::Slower => Exit::Slower,
        Verdict::Faster | Verdict::Same => Exit::Done,
        Verdict::Unknown => Exit::CannotTell,
    })
}

async fn programs(args: &CompareArgs, cores: Option<Cores>) -> Result<[Program; 2], Failure> {
    let files = [&args.run.file, &args.other];
    match files.map(|file| is_saved(file)) {
        [true, true] => {
            let program = |path: &Path| -> Result<Program, Failure> {
                Ok(Program {
                    name: path.display().to_string(),
                    reports: vec![saved_report::read(path)?],
                })
            };
            let [a, b] = files;
            Ok([program(a)?, program(b)?])
        }
        [false, false] => in_turn(&args.run, files.map(PathBuf::as_path), cores).await,
        _ => Err(Failure::argument("B", "give two programs, or two reports saved as .json")),
    }
}

fn is_saved(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == SAVED_EXTENSION)
}

/// Profiles the programs in turn.
async fn in_turn(
    args: &RunArgs,
    files: [&Path; 2],
    cores: Option<Cores>,
) -> Result<[Program; 2], Failure> {
    let program = |file: &Path| Program { name: file.display().to_string(), reports: Vec::new() };
    let mut programs = files.map(program);
    for turn in TURNS {
        let mut request =
            job_request::from_args(&RunArgs { file: files[turn].into(), ..args.clone() })?;
        // A program above the memory limit is the worse one, which is no reason to stop.
        request.job.on_memory_limit = OnMemoryLimit::Record.into();
        match profile(args, request, cores.clone()).await? {
            Ending::Report(report) => programs[turn].reports.push(*report),
            Ending::Error(error) => {
                return Err(Failure::ended_early(&programs[turn].name, &error));
            }
        }
    }
    Ok(programs)
}
