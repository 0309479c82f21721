//! The size at which a program stopped working.

use profiler_proto::v1::{LimitKind, Outcome, ProfileReport, SizeResult};

/// The smallest size that did not end OK.
pub(crate) fn first_failure(report: &ProfileReport) -> Option<&SizeResult> {
    report.sizes.iter().filter(|size| size.outcome() != Outcome::Ok).min_by_key(|size| size.size)
}

/// The limit that the size exceeded, in milliseconds or MiB; absent if it ended otherwise.
pub(crate) fn exceeded(size: &SizeResult) -> Option<(LimitKind, f64)> {
    let evidence = size.evidence.as_ref()?;
    Some((evidence.limit(), evidence.limit_value?))
        .filter(|(limit, _)| *limit != LimitKind::Unspecified)
}
