//! The values of options.

use clap::ValueEnum;
use profiler_proto::v1;

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
pub(crate) enum Growth {
    /// Timings only (fast)
    Timed,
    /// Also instruction counts: at most a quarter of the run's own time
    #[default]
    Counted,
    /// Also instruction counts, allocations and extra sizes (up to 30 s)
    Full,
}

impl From<Growth> for v1::Growth {
    fn from(chosen: Growth) -> Self {
        match chosen {
            Growth::Timed => Self::Timed,
            Growth::Counted => Self::Counted,
            Growth::Full => Self::Full,
        }
    }
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

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Schedule {
    /// The default sizes, or those of --sizes
    #[default]
    List,
    /// Increase the size up to --n-max, while time allows
    Auto,
}

impl From<Schedule> for v1::Schedule {
    fn from(chosen: Schedule) -> Self {
        match chosen {
            Schedule::List => Self::List,
            Schedule::Auto => Self::Auto,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputExperiment {
    /// While the sizes are measured; a program that lacks its input is not measured
    #[default]
    First,
    /// After all sizes
    After,
    /// Never
    Off,
}

impl From<InputExperiment> for v1::InputExperiment {
    fn from(chosen: InputExperiment) -> Self {
        match chosen {
            InputExperiment::First => Self::First,
            InputExperiment::After => Self::After,
            InputExperiment::Off => Self::Off,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnMemoryLimit {
    /// End the run and keep its results
    Abort,
    /// Record the size as infinite and continue
    #[default]
    Record,
}

impl From<OnMemoryLimit> for v1::OnMemoryLimit {
    fn from(chosen: OnMemoryLimit) -> Self {
        match chosen {
            OnMemoryLimit::Abort => Self::Abort,
            OnMemoryLimit::Record => Self::Record,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Clock {
    /// unloaded; wall for programs with several threads or processes
    #[default]
    Auto,
    /// Wall-clock time minus the time spent waiting for a processor
    Unloaded,
    /// Wall-clock time
    Wall,
    /// Processor time of all processes of the program
    Cpu,
}

impl From<Clock> for v1::RuntimeClock {
    fn from(chosen: Clock) -> Self {
        match chosen {
            Clock::Auto => Self::Unspecified,
            Clock::Unloaded => Self::Unloaded,
            Clock::Wall => Self::Wall,
            Clock::Cpu => Self::Cpu,
        }
    }
}
