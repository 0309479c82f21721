//! Differences between runs of the same work that a busy host can cause.

use crate::figures::TwoWays;
use crate::figures::units::ms;
use runner_protocol::Sample;

/// Maximum factor by which a busy host increases the processor time of a run. A processor that
/// shares its core with another one, or a virtual machine next to others, causes factors of 1.5 to
/// 2.
const MOST_SLOWED: f64 = 3.0;
/// Maximum processor time that a pause adds to a run of any length, in milliseconds. A pause is an
/// excuse only if the slower runs are the minority. On eight or more processors, Linux before 6.6
/// lets each task run once in 24 ms (`sched_latency`). When a host pauses a virtual machine for so
/// long, the guest may count the pause as work: a run of 2.0 ms was seen to take 23.8 ms more.
const MOST_PAUSED_MS: f64 = 25.0;

/// Whether a busy host can explain the times of the slower runs.
pub(super) fn a_host_slows_so(ways: &TwoWays) -> bool {
    let least_ms = |runs: &[Sample]| Some(ms(runs.first()?.cpu_ns?));
    let is_minority = ways.slower.len() < ways.faster.len();
    let most_ms = |ms: f64| if is_minority { most_slowed_ms(ms) } else { MOST_SLOWED * ms };
    least_ms(&ways.slower)
        .zip(least_ms(&ways.faster))
        .is_some_and(|(slower, faster)| slower <= most_ms(faster))
}

/// Returns the most time that a run of this many milliseconds takes on a busy host.
pub(super) fn most_slowed_ms(ms: f64) -> f64 {
    (MOST_SLOWED * ms).max(ms + MOST_PAUSED_MS)
}
