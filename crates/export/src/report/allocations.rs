//! What several documents say of allocations.

use super::source::SOURCE_FILE;
use profiler_proto::v1::{AllocationFrame, ProfileReport, WarningCode};

/// Who asked for what was allocated: the innermost frame of the source, which says more than the libraries'
/// below it.
pub(crate) fn requesting_frame(trace: &[AllocationFrame]) -> Option<&AllocationFrame> {
    trace.iter().find(|frame| frame.file == SOURCE_FILE).or(trace.first())
}

/// Whether what is told of allocations are lower bounds: not all blocks could be followed.
pub(crate) fn has_allocation_bounds(report: &ProfileReport) -> bool {
    report.warnings.iter().any(|warning| warning.code() == WarningCode::AllocationsLowerBounds)
}
