//! Which documents to write, and where.

use super::{Format, PerunType};
use clap::Args;
use std::path::PathBuf;

const OUTPUT: &str = "Output";
/// The formats that a file name can ask for, by its suffix. A suffix that ends with another one
/// comes first.
const SUFFIXES: [(&str, Format); 10] = [
    (".swiftsolve.json", Format::Swiftsolve),
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

/// Which documents to write, and where.
#[derive(Debug, Clone, Args)]
pub(crate) struct DocumentArgs {
    /// Also write a .html, .json, .csv or .svg file; may be repeated
    ///
    /// The suffix names the format: .html, .json, .csv, .long.csv, .svg (flame graph), .folded,
    /// .perf, .txt or .swiftsolve.json.
    #[arg(short, long, value_name = "FILE", value_parser = output_file, help_heading = OUTPUT)]
    pub(crate) output: Vec<OutputFile>,
    /// Explain the columns of the table
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) explain: bool,
    /// Print all that g++ said about a program that does not compile
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) full_diagnostics: bool,
    /// Show all columns, even if they do not fit the terminal
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(crate) wide: bool,
    /// Format of the result on stdout
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = OUTPUT)]
    pub(crate) format: Format,
    /// Type of the Perun profile
    #[arg(long, value_enum, default_value_t, value_name = "TYPE", help_heading = OUTPUT)]
    #[arg(hide_short_help = true)]
    pub(crate) perun_type: PerunType,
}

/// A file to write, and its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputFile {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
}

fn output_file(text: &str) -> Result<OutputFile, String> {
    let lower = text.to_ascii_lowercase();
    let format = SUFFIXES.iter().find(|(suffix, _)| lower.ends_with(suffix)).map(|it| it.1);
    let allowed = || SUFFIXES.map(|(suffix, _)| suffix).join(", ");
    let format = format.ok_or_else(|| format!("the name must end with one of {}", allowed()))?;
    Ok(OutputFile { path: text.into(), format })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffix_names_the_format() {
        let format = |name| output_file(name).map(|file| file.format);
        assert_eq!(format("a/report.HTML"), Ok(Format::Html));
        assert_eq!(format("flame.svg"), Ok(Format::FlameGraph));
        assert_eq!(format("strict.swiftsolve.json"), Ok(Format::Swiftsolve));
        assert_eq!(format("plain.json"), Ok(Format::Json));
        assert_eq!(format("a.long.csv"), Ok(Format::CsvLong));
    }

    #[test]
    fn unknown_suffix_is_refused_with_the_known_ones() {
        for bad in ["report", "report.pdf", "-"] {
            assert!(
                output_file(bad).unwrap_err().contains(".html, .htm, .long.csv, .csv"),
                "{bad}"
            );
        }
    }
}
