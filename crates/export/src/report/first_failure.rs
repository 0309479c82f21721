//! The size at which a program stopped working.

use profiler_proto::v1::{Outcome, ProfileReport, SizeResult};

/// The smallest size that did not end OK.
pub(crate) fn first_failure(report: &ProfileReport) -> Option<&SizeResult> {
    report.sizes.iter().filter(|size| size.outcome() != Outcome::Ok).min_by_key(|size| size.size)
}
