//! The values of options.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// Docker if a daemon runs and has the image, else native
    #[default]
    Auto,
    /// One container for each job
    Docker,
    /// Linux namespaces, without a daemon
    Native,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people
    #[default]
    Table,
    /// The whole report, as proto3 JSON
    Json,
    /// SwiftSolve's strict report
    Swiftsolve,
    /// One row for each size and candidate
    Csv,
    /// One row for each statistic of each figure, with its unit
    CsvLong,
    /// One self-contained web page
    Html,
    /// Folded call stacks, for flame graph tools; needs --hotspots
    Folded,
    /// A flame graph as SVG; needs --hotspots
    FlameGraph,
    /// Perun profile: see --perun-type
    Perun,
    /// JUnit's XML: a case for each compile step, test case and size
    Junit,
    /// SARIF 2.1.0: compile errors, failures, warnings and what the checks found
    Sarif,
    /// The same as annotations of GitHub Actions
    Github,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PerunType {
    /// Time of every repetition
    Time,
    /// Time over the size, for regression
    #[default]
    Mixed,
    /// Every allocation and deallocation; needs --allocations
    Memory,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultFormat {
    /// Text for people
    #[default]
    Table,
    /// JSON for programs
    Json,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    /// Bar on a terminal, else plain lines
    #[default]
    Auto,
    /// Progress bar
    Bar,
    /// One line for each step
    Plain,
    /// One JSON object for each event
    Json,
    /// Nothing
    None,
}
