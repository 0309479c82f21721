//! The full report and its parts. The strict report is a projection of it on the wire.

pub mod allocations;
mod builder;
mod compile_step;
mod event;
mod evidence;
mod host;
pub mod hotspots;
mod input_check;
mod outcome;
mod profile_report;
mod size_result;
mod warning;

pub use crate::job::SCHEMA_VERSION;
pub(crate) use builder::ReportBuilder;
pub use compile_step::{CompileStep, Diagnostic, Severity};
pub use event::{Event, EventKind, Events, Step};
pub use evidence::{DetectionMethod, Evidence, Hint, KilledBy, LimitKind, MetLimit, Unit, Verdict};
pub use host::Host;
pub use input_check::{InputCheck, InputUse};
pub(crate) use outcome::ending_name;
pub use outcome::{Outcome, signal_name};
pub use profile_report::{
    Advice, FailedInputs, RandomCosts, RunCost, SHOWN_BYTES, SearchEnd, SizeCosts, SlowLine,
    Speedup, TriedChange, WorstInput,
};
pub use profile_report::{ProfileReport, REPORT_TYPE, SandboxError, StartUp, TestCaseResult};
pub(crate) use size_result::largest_ok;
pub use size_result::{Instructions, InteractorResult, Output, SizeResult};
pub use warning::{Warning, WarningCode};
