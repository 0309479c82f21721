//! Documents to write, and their destinations.

use super::{Format, PerunType};
use crate::exit::Failure;
use clap::Args;
use clap::builder::PossibleValuesParser;
use profiler_export::csv_columns;
use std::path::{Path, PathBuf};

const OUTPUT: &str = "Output";
/// The formats that a file name can ask for, by its suffix. A suffix that ends with another one
/// comes first.
const SUFFIXES: [(&str, Format); 13] = [
    (".swiftsolve.json", Format::Swiftsolve),
    (".sarif.json", Format::Sarif),
    (".sarif", Format::Sarif),
    (".xml", Format::Junit),
    (".json", Format::Json),
    (".html", Format::Html),
    (".htm", Format::Html),
    (".long.csv", Format::CsvLong),
    (".csv", Format::Csv),
    (".svg", Format::FlameGraph),
    (".folded", Format::Folded),
    (".perf", Format::Perun),
    (".txt", Format::Table),
];

/// Documents to write, and their destinations.
#[derive(Debug, Clone, Args)]
pub(crate) struct DocumentArgs {
    /// Also write a .html, .json, .csv, .svg, .xml or .sarif file; repeatable
    ///
    /// The suffix names the format: .html, .json, .csv, .long.csv, .svg (flame graph), .folded,
    /// .perf, .txt, .xml (JUnit), .sarif or .swiftsolve.json; of a ranking .json, .csv, .md, .xml
    /// or .sarif.
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Vec<PathBuf>,
    /// Explain the columns of the table
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) explain: bool,
    /// Print all that g++ said about a program that does not compile
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) full_diagnostics: bool,
    /// Show all columns, even if they do not fit the terminal
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) wide: bool,
    /// Columns of CSV, in this order [default: all]
    ///
    /// Their names have their units. All names are the first line of CSV without this option.
    #[arg(long, value_delimiter = ',', value_parser = PossibleValuesParser::new(csv_columns()))]
    #[arg(value_name = "NAME,NAME,...", hide_possible_values = true, help_heading = OUTPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) columns: Vec<String>,
    /// Form on stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = OUTPUT)]
    pub(crate) format: Format,
    /// Type of the Perun profile
    #[arg(long, value_enum, default_value_t, value_name = "TYPE", help_heading = OUTPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) perun_type: PerunType,
}

/// Returns the format of a report that the suffix of a file's name implies.
pub(crate) fn report_format(path: &Path) -> Result<Format, Failure> {
    by_suffix(path, &SUFFIXES)
}

/// Form that the suffix of a file name stands for.
pub(crate) fn by_suffix<T: Copy>(path: &Path, suffixes: &[(&str, T)]) -> Result<T, Failure> {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let known = suffixes.iter().find(|(suffix, _)| name.ends_with(suffix));
    known.map(|it| it.1).ok_or_else(|| {
        let allowed: Vec<_> = suffixes.iter().map(|it| it.0).collect();
        let problem = format!("the name must end with one of {}", allowed.join(", "));
        Failure::argument(format!("--output {}", path.display()), problem)
    })
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
        assert_eq!(format("a/report.HTML"), Format::Html);
        assert_eq!(format("flame.svg"), Format::FlameGraph);
        assert_eq!(format("strict.swiftsolve.json"), Format::Swiftsolve);
        assert_eq!(format("plain.json"), Format::Json);
        assert_eq!(format("a.long.csv"), Format::CsvLong);
        assert_eq!(["a.sarif", "a.sarif.json"].map(format), [Format::Sarif; 2]);
        assert_eq!(["junit.xml", "a.junit.xml"].map(format), [Format::Junit; 2]);
    }

    #[test]
    fn unknown_suffix_is_refused_with_the_known_ones() {
        for bad in ["report", "report.pdf", "-"] {
            let said = report_format(Path::new(bad)).unwrap_err().to_string();
            assert!(said.starts_with(&format!("--output {bad}: ")), "{said}");
            assert!(said.contains(".html, .htm, .long.csv, .csv"), "{said}");
        }
    }
}
