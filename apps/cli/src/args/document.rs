//! Documents to write, and their destinations.

use super::choice::{format, perun_type};
use crate::exit::Failure;
use clap::Args;
use clap::builder::PossibleValuesParser;
use profiler_export::{CiForm, csv_columns};
use profiler_proto::formats::{FORMATS, Format};
use profiler_proto::v1::ExportFormat;
use std::path::{Path, PathBuf};

const OUTPUT: &str = "Output";
/// Suffixes that choose the form of a ranking.
const RANKING_SUFFIXES: [(&str, RankingForm); 6] = [
    ("sarif.json", RankingForm::Ci(CiForm::Sarif)),
    ("sarif", RankingForm::Ci(CiForm::Sarif)),
    ("xml", RankingForm::Ci(CiForm::Junit)),
    ("json", RankingForm::Json),
    ("csv", RankingForm::Csv),
    ("md", RankingForm::Markdown),
];

/// Documents to write, and their destinations.
#[derive(Debug, Clone, Args)]
pub(crate) struct DocumentArgs {
    /// Also write a .html, .json, .csv, .svg, .xml or .sarif file; repeatable
    #[arg(short, long, value_name = "FILE", long_help = output_help(), help_heading = OUTPUT)]
    pub(crate) output: Vec<PathBuf>,
    /// Add columns about the measurement to the table, and explain them all
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) explain: bool,
    /// Print all messages of g++ about a program that does not compile
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) full_diagnostics: bool,
    /// Show all columns, even if they do not fit the terminal
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) wide: bool,
    /// Columns of CSV, in this order [default: all]
    ///
    /// The names include the units. Without this option, the first line of CSV has all names.
    #[arg(long, value_delimiter = ',', value_parser = PossibleValuesParser::new(csv_columns()))]
    #[arg(value_name = "NAME,NAME,...", hide_possible_values = true, help_heading = OUTPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) columns: Vec<String>,
    /// Format on stdout
    #[arg(long, value_parser = format(), default_value = "table", value_name = "FORMAT")]
    #[arg(help_heading = OUTPUT)]
    pub(crate) format: ExportFormat,
    /// Type of the Perun profile
    #[arg(long, value_parser = perun_type(), default_value = "mixed", value_name = "TYPE")]
    #[arg(help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) perun_type: ExportFormat,
}

/// Form of a ranking of several programs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RankingForm {
    Json,
    /// A row for each program.
    Csv,
    /// The table, what programs lack, and the verdict.
    Markdown,
    Ci(CiForm),
}

/// Returns the format of a report that the suffix of a file's name implies.
pub(crate) fn report_format(path: &Path) -> Result<ExportFormat, Failure> {
    by_suffix(path, &report_suffixes())
}

/// Returns the form of a ranking that the suffix of a file's name implies.
pub(crate) fn ranking_form(path: &Path) -> Result<RankingForm, Failure> {
    by_suffix(path, &RANKING_SUFFIXES)
}

/// Returns the suffixes that choose the format of a report.
fn report_suffixes() -> Vec<(&'static str, ExportFormat)> {
    let of = |format: &'static Format| format.recognized.iter().map(move |it| (*it, format.value));
    let mut known: Vec<_> = FORMATS.iter().flat_map(of).collect();
    known.dedup_by_key(|(suffix, _)| *suffix);
    known
}

fn output_help() -> String {
    let (report, ranking) = (listed(&report_suffixes()), listed(&RANKING_SUFFIXES));
    format!(
        "Also write a file in another format; repeatable\n\nThe suffix names the format: {report}. \
         A ranking can be written as {ranking}."
    )
}

/// Returns the form that the longest matching suffix of a file name stands for.
fn by_suffix<T: Copy>(path: &Path, suffixes: &[(&str, T)]) -> Result<T, Failure> {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let matching = suffixes
        .iter()
        .filter(|(suffix, _)| name.strip_suffix(suffix).is_some_and(|stem| stem.ends_with('.')));
    let longest = matching.max_by_key(|(suffix, _)| suffix.len());
    longest.map(|it| it.1).ok_or_else(|| {
        let problem = format!("must end with one of {}", listed(suffixes));
        Failure::argument(format!("--output {}", path.display()), problem)
    })
}

fn listed<T>(suffixes: &[(&str, T)]) -> String {
    suffixes.iter().map(|it| format!(".{}", it.0)).collect::<Vec<_>>().join(", ")
}

/// Destination of completions and man pages.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// Folder for the files
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffix_names_the_format() {
        let format = |name: &str| report_format(Path::new(name)).unwrap();
        assert_eq!(format("a/report.HTML"), ExportFormat::Html);
        assert_eq!(format("flame.svg"), ExportFormat::FlameGraph);
        assert_eq!(format("strict.swiftsolve.json"), ExportFormat::Swiftsolve);
        assert_eq!(format("plain.json"), ExportFormat::Json);
        assert_eq!(format("a.long.csv"), ExportFormat::CsvLong);
        assert_eq!(["a.sarif", "a.sarif.json"].map(format), [ExportFormat::Sarif; 2]);
        assert_eq!(["junit.xml", "a.junit.xml"].map(format), [ExportFormat::Junit; 2]);
    }

    #[test]
    fn unknown_suffix_is_refused_with_the_known_ones() {
        for bad in ["report", "report.pdf", "-"] {
            let said = report_format(Path::new(bad)).unwrap_err().to_string();
            assert!(said.starts_with(&format!("--output {bad}: ")), "{said}");
            assert!(said.contains(".csv, .long.csv, .html, .htm, "), "{said}");
        }
    }
}
