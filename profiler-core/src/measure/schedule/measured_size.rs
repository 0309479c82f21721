//! What a schedule knows about a measured size.

use crate::report::{Outcome, SizeResult};

/// A single run has no interval, but no noise takes this long.
const BEYOND_NOISE_MS: f64 = 10.0;

/// The result of a size: that of its slowest candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MeasuredSize {
    pub(super) size: u64,
    pub(super) outcome: Outcome,
    /// The time less the start-up, in milliseconds; `None` if it cannot be told from noise.
    pub(super) net_ms: Option<f64>,
}

impl MeasuredSize {
    pub(super) fn from_candidates(candidates: &[SizeResult]) -> Self {
        let seen = |result: &SizeResult| {
            let above_noise = result.below_noise_floor == Some(false);
            result.net_runtime_ms.filter(|&ms| above_noise || ms > BEYOND_NOISE_MS)
        };
        let slowest = candidates.iter().filter_map(seen).max_by(f64::total_cmp);
        let failed = candidates.iter().find(|result| !result.is_ok());
        Self {
            size: candidates.first().map_or(0, |result| result.size),
            outcome: failed.map_or(Outcome::Ok, |result| result.outcome),
            net_ms: slowest.filter(|_| failed.is_none()),
        }
    }
}
