//! Facts about allocations that several documents show.

use super::source::SOURCE_FILE;
use profiler_proto::v1::{AllocationFrame, ProfileReport, WarningCode};

/// The frame that requested an allocation: the innermost frame of the submitted source, else the
/// innermost of all. Frames of libraries below it say less.
pub(crate) fn requesting_frame(trace: &[AllocationFrame]) -> Option<&AllocationFrame> {
    trace.iter().find(|frame| frame.file == SOURCE_FILE).or(trace.first())
}

/// Whether the figures of allocations are lower bounds, because some blocks could not be followed.
pub(crate) fn has_allocation_bounds(report: &ProfileReport) -> bool {
    report.warnings.iter().any(|warning| warning.code() == WarningCode::AllocationsLowerBounds)
}
