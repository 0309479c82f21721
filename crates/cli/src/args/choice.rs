//! What an option chooses from.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// Docker if a daemon answers and has the image, else native
    #[default]
    Auto,
    /// A container for each job
    Docker,
    /// Namespaces, without a daemon
    Native,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Growth {
    /// What is measured anyway
    #[default]
    Timed,
    /// Also sizes, counts and recorded allocations of its own, for some 30 s at most
    Full,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Table,
    /// Everything, as proto3 JSON
    Json,
    /// The controller's strict report
    Swiftsolve,
    /// A row for each size and candidate
    Csv,
    /// One self-contained page
    Html,
    /// Folded stacks of instructions, for flame graph tools; needs --debug
    Folded,
    /// A flame graph as SVG; needs --debug
    FlameGraph,
    /// A profile of Perun's: see --perun-type
    Perun,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PerunType {
    /// What each repetition took
    Time,
    /// Time over the size, for regression
    #[default]
    Mixed,
    /// Every call that allocated or freed; needs --allocations
    Memory,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoctorFormat {
    /// For people
    #[default]
    Table,
    /// For programs
    Json,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    /// A bar on a terminal, else plain lines
    #[default]
    Auto,
    /// A bar
    Bar,
    /// One line for each step
    Plain,
    /// One JSON object for each event
    Json,
    /// Nothing
    None,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Schedule {
    /// The default sizes, or those of --sizes
    #[default]
    List,
    /// Grow from small sizes, up to --n-max, for as long as time allows
    Auto,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnMemoryLimit {
    /// End the run with what it has
    #[default]
    Abort,
    /// Record the size as infinite and go on
    Record,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Clock {
    /// Unloaded, or wall for programs of several threads or processes
    #[default]
    Auto,
    /// Wall clock less the time spent waiting for a processor
    Unloaded,
    /// Wall clock
    Wall,
    /// Processor time of the process tree
    Cpu,
}
