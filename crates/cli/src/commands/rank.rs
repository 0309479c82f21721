//! `run` with several programs: measures them in turn, and ranks them.

mod ranking;

use super::run::turns::{Entry, profile_in_turn};
use crate::args::{Format, RunArgs};
use crate::exit::{Exit, Failure};
use crate::output;
use profiler_core::sandbox::Cores;
use ranking::Ranking;

/// Ranks the programs and prints the ranking. They are measured on one of `cores`.
pub(crate) async fn rank(args: RunArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    if !matches!(args.document.format, Format::Table | Format::Json) {
        return Err(Failure::argument("--format", "a ranking is printed as table or json"));
    }
    if !args.document.output.is_empty() {
        return Err(Failure::argument(
            "--output",
            "takes the report of one program, not of several",
        ));
    }
    if !args.gate.fail_on.is_empty() || args.gate.baseline.is_some() {
        let problem = "checks the report of one program, not of several";
        return Err(Failure::argument("--fail-on or --baseline", problem));
    }
    let names: Vec<_> = args.files.iter().map(|file| file.display().to_string()).collect();
    let entries = args.files.iter().zip(&names).map(|(file, label)| Entry { file, label });
    let endings = profile_in_turn(&args.job, &entries.collect::<Vec<_>>(), cores).await?;
    let ranking = Ranking::of(names.into_iter().zip(endings));
    match args.document.format {
        Format::Json => {
            let json = serde_json::to_string_pretty(&ranking);
            output::print(&json.map_err(Failure::broken("write the ranking"))?)?;
        }
        _ => output::print(&ranking.text(&output::palette()))?,
    }
    Ok(ranking.exit())
}
