//! The report while it is made, and the events of a run. A step returns a published message if the
//! report contains its result as it is, and a type of this crate if a later step computes with the
//! result.

mod builder;
mod ending;
mod event;
mod fingerprint;
mod hotspots;
mod measured_size;
mod reading;
mod verdict;
mod warnings;

pub use crate::job::SCHEMA_VERSION;
pub use builder::REPORT_TYPE;
pub(crate) use builder::ReportBuilder;
pub(crate) use ending::{ending_name, signal_name};
pub use event::{Events, Step};
pub use fingerprint::METHOD_VERSION;
pub(crate) use hotspots::Hotspots;
pub(crate) use measured_size::{
    CaseCount, ColdRun, Fed, Instructions, MeasuredSize, PlannedProbe, ProbeFindings, StartUpCosts,
    largest_ok,
};
pub use verdict::Verdict;
