//! What a schedule knows about a measured size.

use crate::report::{Outcome, SizeResult};

/// A single run has no interval, but no noise takes this long.
const BEYOND_NOISE_MS: f64 = 10.0;
/// A time is visible if it exceeds the floor by more than this share of the floor. Short runs of
/// one program differ by a quarter on a busy host.
const SHARE_OF_FLOOR: f64 = 0.5;

/// The result of a size: that of its slowest candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MeasuredSize {
    pub(super) size: u64,
    pub(super) outcome: Outcome,
    /// The time less the floor, in milliseconds; `None` if it cannot be told from noise.
    pub(super) net_ms: Option<f64>,
}

impl MeasuredSize {
    /// The floor is the program's time without work. Without one it is the start-up, which lacks
    /// what the program does at any size.
    pub(super) fn from_candidates(candidates: &[SizeResult], floor_ms: Option<f64>) -> Self {
        let seen = |result: &SizeResult| {
            floor_ms.map_or_else(|| above_start_up(result), |floor_ms| above(floor_ms, result))
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

fn above_start_up(result: &SizeResult) -> Option<f64> {
    let above_noise = result.below_noise_floor == Some(false);
    result.net_runtime_ms.filter(|&ms| above_noise || ms > BEYOND_NOISE_MS)
}

/// The time above the floor, in milliseconds, if it is visible.
fn above(floor_ms: f64, result: &SizeResult) -> Option<f64> {
    let figures = result.figures.as_ref().filter(|_| result.is_ok())?;
    let width_ms =
        if figures.runtime_ms.count > 1 { figures.headline.width_ms() } else { BEYOND_NOISE_MS };
    let least_ms = (floor_ms * SHARE_OF_FLOOR).min(BEYOND_NOISE_MS).max(width_ms);
    Some(figures.headline.ms - floor_ms).filter(|&ms| ms > least_ms)
}
