//! Stop rules of the repetitions of a size.

use crate::figures::units::nanoseconds;
use crate::limits::{LEAST_BRIEF_REPETITIONS, MOST_REPETITIONS};
use profiler_statistics::KNOWN_SHARE;
use runner_protocol::{Budget, Stop};
use std::time::Duration;

const MILLION: f64 = 1e6;

/// Makes a rule that stops once the headline is known, or once all runs have taken `budget`.
pub(super) fn stop(least: u32, most: u32, budget: Duration) -> Stop {
    let (precision_ppm, budget) = (ppm(KNOWN_SHARE), Budget::Whole(nanoseconds(budget)));
    Stop { least, most, precision_ppm, budget }
}

/// Makes a rule that stops once the headline is this precise. `budget` covers the repetitions, so
/// only the first run may take long.
pub(super) fn brief_stop(precision: f64, budget: Duration) -> Stop {
    let (least, most) = (LEAST_BRIEF_REPETITIONS, MOST_REPETITIONS);
    let budget = Budget::Repetitions(nanoseconds(budget));
    Stop { least, most, precision_ppm: ppm(precision), budget }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a million")]
fn ppm(share: f64) -> u32 {
    (share * MILLION).round() as u32
}
