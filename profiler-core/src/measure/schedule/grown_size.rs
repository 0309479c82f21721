//! The result of a measured size, in the form that a growing schedule needs.

use crate::figures::noise_ms;
use crate::report::MeasuredSize;
use profiler_proto::v1::Outcome;

/// The largest time that noise can add to a run, in milliseconds. It bounds the noise of a single
/// run, which has no interval.
const BEYOND_NOISE_MS: f64 = 10.0;
/// A time is visible if it exceeds the floor by this share of the floor, or by [`BEYOND_NOISE_MS`].
/// On a busy host, the times of short runs of one program differ by a quarter.
const SHARE_OF_FLOOR: f64 = 0.5;

/// The result of a size, which is the result of its slowest candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GrownSize {
    pub(super) size: u64,
    pub(super) outcome: Outcome,
    /// The whole time, in milliseconds; `None` unless every candidate ended OK.
    pub(super) ms: Option<f64>,
    /// The part of `ms` above the floor, in milliseconds; `None` if it is not distinguishable from
    /// noise.
    pub(super) net_ms: Option<f64>,
}

impl GrownSize {
    /// Sums up the results of one size. The floor is the program's time without work. If that time
    /// is not known, the start-up serves as the floor, without the work that the program does at
    /// every size.
    pub(super) fn from_candidates(candidates: &[MeasuredSize], floor_ms: Option<f64>) -> Self {
        let seen = |result: &MeasuredSize| visible_ms(floor_ms, result);
        let time = |result: &MeasuredSize| Some(result.figures.as_ref()?.headline?.ms);
        let failed = candidates.iter().find(|result| !result.is_ok());
        let slowest = |time: &dyn Fn(&MeasuredSize) -> Option<f64>| {
            candidates.iter().filter_map(time).max_by(f64::total_cmp).filter(|_| failed.is_none())
        };
        Self {
            size: candidates.first().map_or(0, |result| result.size),
            outcome: failed.map_or(Outcome::Ok, |result| result.verdict.outcome),
            ms: slowest(&time),
            net_ms: slowest(&seen),
        }
    }
}

/// The time above the floor, in milliseconds, if it is visible.
fn visible_ms(floor_ms: Option<f64>, result: &MeasuredSize) -> Option<f64> {
    let Some(floor_ms) = floor_ms else {
        let above_noise = result.below_noise_floor == Some(false);
        return result.net_runtime_ms.filter(|&ms| above_noise || ms > BEYOND_NOISE_MS);
    };
    let figures = result.figures.as_ref()?;
    let runs = figures.runtime_ms?.count;
    let noise_ms = if runs > 1 { noise_ms(figures)? } else { BEYOND_NOISE_MS };
    let least_ms = (floor_ms * SHARE_OF_FLOOR).min(BEYOND_NOISE_MS).max(noise_ms);
    Some(figures.headline?.ms - floor_ms).filter(|&ms| ms > least_ms)
}
