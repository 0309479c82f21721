//! `run` with several programs: measures them in turn, and ranks them.

mod ranking;

use super::run::turns::{Entry, profile_in_turn};
use crate::args::{Format, RunArgs, by_suffix};
use crate::exit::{Exit, Failure};
use crate::output::{self, File};
use profiler_core::sandbox::Cores;
use ranking::{Form, Ranking};

/// The forms that a file name can ask for, by its suffix.
const FORMS: [(&str, Form); 3] =
    [(".json", Form::Json), (".csv", Form::Csv), (".md", Form::Markdown)];

/// Ranks the programs and prints the ranking. They are measured on one of `cores`.
pub(crate) async fn rank(args: &RunArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    if !matches!(args.document.format, Format::Table | Format::Json) {
        return Err(Failure::argument("--format", "a ranking is printed as table or json"));
    }
    let of_one_report = [
        ("--watch", args.watch),
        ("--explain", args.document.explain),
        ("--full-diagnostics", args.document.full_diagnostics),
        ("--wide", args.document.wide),
        ("--fail-on", !args.gate.fail_on.is_empty()),
        ("--baseline", args.gate.baseline.is_some()),
    ];
    if let Some((option, _)) = of_one_report.into_iter().find(|(_, is_given)| *is_given) {
        let problem = "is for the report of one program, not of several";
        return Err(Failure::argument(option, problem));
    }
    let files: Vec<(File, Form)> = args
        .document
        .output
        .iter()
        .map(|path| by_suffix(path, &FORMS).and_then(|form| Ok((File::open(path)?, form))))
        .collect::<Result<_, Failure>>()?;
    let names: Vec<_> = args.files.iter().map(|file| file.display().to_string()).collect();
    let entries = args.files.iter().zip(&names).map(|(file, label)| Entry { file, label });
    let endings = profile_in_turn(&args.job, &entries.collect::<Vec<_>>(), cores).await?;
    let ranking = Ranking::of(names.into_iter().zip(endings));
    match args.document.format {
        Format::Json => output::print(&ranking.document(Form::Json)?)?,
        _ => output::print(&ranking.text(&output::palette()))?,
    }
    for (file, form) in files {
        file.fill(ranking.document(form)?.as_bytes())?;
    }
    Ok(ranking.exit())
}
