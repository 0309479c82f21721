//! `run` with several programs: measures them in turn, and ranks them.

mod ranking;

use super::run::turns::{Entry, profile_in_turn};
use crate::args::{RankingForm, RunArgs, ranking_form};
use crate::exit::{Exit, Failure};
use crate::job_request::{argument_of_compiled, source_name};
use crate::output::{self, File};
use crate::stderr::tell;
use profiler_core::sandbox::Cores;
use profiler_export::{Check, CiForm, Ending, Run, TextOptions, ci_document};
use profiler_proto::v1::ExportFormat;
use ranking::Ranking;

/// Ranks the programs and prints the ranking. They are measured on one of `cores`.
pub(crate) async fn rank(args: &RunArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    if let Some(argument) = argument_of_compiled(&args.files) {
        let problem = "there is no such file, and a compiled program runs without arguments";
        return Err(Failure::argument(argument.display().to_string(), problem));
    }
    let printed = match args.document.format {
        ExportFormat::Text => None,
        ExportFormat::Json => Some(RankingForm::Json),
        ExportFormat::Junit => Some(RankingForm::Ci(CiForm::Junit)),
        ExportFormat::Sarif => Some(RankingForm::Ci(CiForm::Sarif)),
        ExportFormat::Github => Some(RankingForm::Ci(CiForm::Github)),
        _ => {
            let problem = "must be table, json, junit, sarif or github for a ranking";
            return Err(Failure::argument("--format", problem));
        }
    };
    let of_one_report = [
        ("--watch", args.watch),
        ("--explain", args.document.explain),
        ("--full-diagnostics", args.document.full_diagnostics),
        ("--columns", !args.document.columns.is_empty()),
        ("--fail-on", !args.gate.fail_on.is_empty()),
        ("--baseline", args.gate.baseline.is_some()),
    ];
    if let Some((option, _)) = of_one_report.into_iter().find(|(_, is_given)| *is_given) {
        let problem = "cannot be used with several programs";
        return Err(Failure::argument(option, problem));
    }
    let files: Vec<(File, RankingForm)> = args
        .document
        .output
        .iter()
        .map(|path| ranking_form(path).and_then(|form| Ok((File::open(path)?, form))))
        .collect::<Result<_, Failure>>()?;
    let names: Vec<_> = args.files.iter().map(|file| source_name(file)).collect();
    let entries = args.files.iter().zip(&names).map(|(file, label)| Entry { file, label });
    let outputs = args.gate.outputs.required();
    let endings = profile_in_turn(&args.job, &entries.collect::<Vec<_>>(), outputs, cores).await?;
    let programs = names.iter().cloned().zip(endings.clone());
    let ranking = Ranking::of(programs, outputs);
    let checks: Vec<_> = names.iter().map(|name| ranking.checks(name)).collect();
    let runs: Vec<_> = names
        .iter()
        .zip(&endings)
        .zip(&checks)
        .filter_map(|(of, checks)| decisive(of, checks))
        .collect();
    let written = |form| match form {
        RankingForm::Json => ranking.json().map(String::into_bytes),
        RankingForm::Csv => ranking.csv(),
        RankingForm::Markdown => Ok(ranking.markdown().into_bytes()),
        RankingForm::Ci(form) => Ok(ci_document(&runs, form)?),
    };
    if let Some(form) = printed {
        output::write(&written(form)?)?;
    } else {
        let fitted = output::text_options();
        let width = fitted.width.filter(|_| !args.document.wide);
        output::print(&ranking.text(&TextOptions { width, ..fitted }))?;
    }
    if matches!(printed, Some(RankingForm::Ci(_))) {
        tell(format_args!("swiftprof: {}", ranking.verdict()));
    }
    for (file, form) in files {
        file.fill(&written(form)?)?;
    }
    Ok(ranking.exit())
}

/// Returns the run that stands for a program: the one that ended early, else the first.
fn decisive<'a>(
    (source, endings): (&'a String, &'a Vec<Ending>),
    checks: &'a [Check],
) -> Option<Run<'a>> {
    let early = endings.iter().find(|ending| matches!(ending, Ending::Error(_)));
    let ending = early.or(endings.first())?;
    Some(Run { ending, source, checks, note: None })
}
