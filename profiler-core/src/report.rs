//! The full report and its parts. The strict report is a projection of it on the wire.

pub mod allocations;
mod builder;
mod compile_step;
mod event;
mod fingerprint;
mod host;
pub mod hotspots;
mod input_check;
mod profile_report;
mod size_result;
mod verdict;
mod warning;

pub use crate::job::SCHEMA_VERSION;
pub(crate) use builder::ReportBuilder;
pub use compile_step::{CompileStep, Diagnostic};
pub use event::{Event, EventKind, Events};
pub use host::Host;
pub use input_check::{InputCheck, InputUse};
pub use profile_report::{ProfileReport, REPORT_TYPE, SandboxError, StartUp, TestCaseResult};
pub(crate) use size_result::largest_ok;
pub use size_result::{Instructions, InteractorResult, Output, SizeResult};
pub(crate) use verdict::ending_name;
pub use verdict::{
    DetectionMethod, Evidence, Hint, KilledBy, LimitKind, MetLimit, Outcome, Verdict, signal_name,
};
pub use warning::{Warning, WarningCode};
