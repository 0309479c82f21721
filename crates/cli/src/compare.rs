//! `compare`: which of two programs, or of two saved reports, is faster, and whether the difference is real.
//!
//! Programs are profiled in turn, A, B, B, A, so that a host that gets slower or faster meanwhile favours neither.
//! What is compared is a list of reports of each, whose headlines differ by repetition and from run to run.

mod clock;
mod judge;
mod saved;
mod table;
mod terms;

use crate::args::{CompareArgs, Format, RunArgs};
use crate::exit::{Exit, Failure, print};
use crate::run::profile;
use crate::{request, terminal};
use judge::{Comparison, Verdict};
use profiler_core::sandbox::Cores;
use profiler_export::Ending;
use profiler_proto::v1::{OnMemoryLimit, ProfileReport};
use std::path::{Path, PathBuf};

/// What a saved report ends with.
const SAVED: &str = "json";
/// Which of both programs is profiled, in this order.
const TURNS: [usize; 4] = [0, 1, 1, 0];

/// One of the two, and what was measured of it.
#[derive(Debug, Clone)]
struct Side {
    name: String,
    reports: Vec<ProfileReport>,
}

/// Compares, and prints what came of it.
pub(crate) async fn compare(args: CompareArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    if !matches!(args.run.format, Format::Table | Format::Json) {
        return Err(Failure::argument("--format", "a comparison is a table or json"));
    }
    let [a, b] = sides(&args, cores).await?;
    let comparison = Comparison::of(&a, &b);
    match args.run.format {
        Format::Json => {
            let json = serde_json::to_string_pretty(&comparison);
            print(&json.map_err(Failure::broken("write the result"))?)?;
        }
        _ => print(&table::text(&comparison, &terminal::palette()))?,
    }
    Ok(match comparison.verdict {
        Verdict::Slower => Exit::Slower,
        Verdict::Faster | Verdict::Same => Exit::Done,
        Verdict::Unknown => Exit::CannotTell,
    })
}

async fn sides(args: &CompareArgs, cores: Option<Cores>) -> Result<[Side; 2], Failure> {
    let files = [&args.run.file, &args.other];
    match files.map(|file| is_saved(file)) {
        [true, true] => {
            let side = |path: &Path| -> Result<Side, Failure> {
                Ok(Side { name: path.display().to_string(), reports: vec![saved::read(path)?] })
            };
            let [a, b] = files;
            Ok([side(a)?, side(b)?])
        }
        [false, false] => in_turn(&args.run, files.map(PathBuf::as_path), cores).await,
        _ => Err(Failure::argument("B", "compare two programs, or two reports saved as .json")),
    }
}

fn is_saved(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == SAVED)
}

/// Profiles both programs in turn.
async fn in_turn(
    args: &RunArgs,
    files: [&Path; 2],
    cores: Option<Cores>,
) -> Result<[Side; 2], Failure> {
    let side = |file: &Path| Side { name: file.display().to_string(), reports: Vec::new() };
    let mut sides = files.map(side);
    for turn in TURNS {
        let mut asked = request::asked(&RunArgs { file: files[turn].into(), ..args.clone() })?;
        // A program that takes too much memory is worse than one that does not, and no reason to stop.
        asked.job.on_memory_limit = OnMemoryLimit::Record.into();
        match profile(args, asked, cores.clone()).await? {
            Ending::Report(report) => sides[turn].reports.push(*report),
            Ending::Error(error) => {
                return Err(Failure::ended_early(&sides[turn].name, &error));
            }
        }
    }
    Ok(sides)
}
