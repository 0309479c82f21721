//! How all documents read a report.

pub(crate) mod allocations;
pub(crate) mod curve;
pub(crate) mod default_input;
mod failed_step;
mod first_failure;
mod limit;
mod outcome;
mod printable;
mod samples;
mod slow_reading;
mod source;

use profiler_proto::v1::{Outcome, SizeResult};

pub use default_input::{insufficient_input, objection, remedy};
pub(crate) use failed_step::failed_step;
pub(crate) use first_failure::first_failure;
pub(crate) use limit::{exceeded, which_time, widened};
pub use outcome::outcome_name;
pub use printable::{figure, readable};
pub use samples::headline_ns;
pub use slow_reading::slow_reading;
pub(crate) use source::SOURCE_FILE;

/// Whether the size has only the peak of its largest process: no memory cgroup counted what all its
/// processes held.
pub fn has_largest_process_only(size: &SizeResult) -> bool {
    let counted = size.memory.as_ref().is_some_and(|memory| memory.cgroup_peak_mb.is_some());
    size.outcome() == Outcome::Ok && !counted
}
