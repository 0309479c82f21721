//! `run` with several programs: measures them in turn, and ranks them.

mod ranking;

use super::run::turns::{Entry, profile_in_turn};
use crate::args::{RunArgs, by_suffix};
use crate::exit::{Exit, Failure};
use crate::job_request::source_name;
use crate::output::{self, File};
use crate::stderr::tell;
use profiler_core::sandbox::Cores;
use profiler_export::{Check, CiForm, Ending, Run, TextOptions, ci_document};
use profiler_proto::v1::ExportFormat;
use ranking::Ranking;

/// The forms that a file name can ask for, by its suffix.
const FORMS: [(&str, Document); 6] = [
    ("sarif.json", Document::Ci(CiForm::Sarif)),
    ("sarif", Document::Ci(CiForm::Sarif)),
    ("xml", Document::Ci(CiForm::Junit)),
    ("json", Document::Json),
    ("csv", Document::Csv),
    ("md", Document::Markdown),
];

/// Form of a document about several programs.
#[derive(Debug, Clone, Copy)]
enum Document {
    Json,
    /// A row for each program.
    Csv,
    /// The table, the problems of the programs, and the verdict.
    Markdown,
    Ci(CiForm),
}

/// Ranks the programs and prints the ranking. They are measured on one of `cores`.
pub(crate) async fn rank(args: &RunArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    let printed = match args.document.format {
        ExportFormat::Text => None,
        ExportFormat::Json => Some(Document::Json),
        ExportFormat::Junit => Some(Document::Ci(CiForm::Junit)),
        ExportFormat::Sarif => Some(Document::Ci(CiForm::Sarif)),
        ExportFormat::Github => Some(Document::Ci(CiForm::Github)),
        _ => {
            let problem = "a ranking is printed as table, json, junit, sarif or github";
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
        let problem = "is for the report of one program, not of several";
        return Err(Failure::argument(option, problem));
    }
    let files: Vec<(File, Document)> = args
        .document
        .output
        .iter()
        .map(|path| by_suffix(path, &FORMS).and_then(|form| Ok((File::open(path)?, form))))
        .collect::<Result<_, Failure>>()?;
    let names: Vec<_> = args.files.iter().map(|file| source_name(file)).collect();
    let entries = args.files.iter().zip(&names).map(|(file, label)| Entry { file, label });
    let endings = profile_in_turn(&args.job, &entries.collect::<Vec<_>>(), cores).await?;
    let programs = names.iter().cloned().zip(endings.clone());
    let ranking = Ranking::of(programs, args.gate.outputs.required());
    let checks: Vec<_> = names.iter().map(|name| ranking.checks(name)).collect();
    let runs: Vec<_> = names
        .iter()
        .zip(&endings)
        .zip(&checks)
        .filter_map(|(of, checks)| decisive(of, checks))
        .collect();
    let written = |document| match document {
        Document::Json => ranking.json().map(String::into_bytes),
        Document::Csv => ranking.csv(),
        Document::Markdown => Ok(ranking.markdown().into_bytes()),
        Document::Ci(form) => Ok(ci_document(&runs, form)?),
    };
    if let Some(document) = printed {
        output::write(&written(document)?)?;
    } else {
        let fitted = output::text_options();
        let width = fitted.width.filter(|_| !args.document.wide);
        output::print(&ranking.text(&TextOptions { width, ..fitted }))?;
    }
    if matches!(printed, Some(Document::Ci(_))) {
        tell(format_args!("swiftprof: {}", ranking.verdict()));
    }
    for (file, document) in files {
        file.fill(&written(document)?)?;
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
    Some(Run { ending, source, checks })
}
