//! Comparison of the speed of a host with the speed of its pool.

use super::place::find_place;
use super::shared::Shared;
use crate::telemetry::logging::TARGET;
use profiler_core::Profiler;
use profiler_fleet::Roster;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Interval at which a worker compares itself with its pool.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum difference in speed between this host and its pool, as a share. Two hosts of one model
/// differ by less, and a difference of this size does not change a class of growth.
const CALIBRATION_BOUND: f64 = 0.1;
/// Interval at which a host that has left its pool is calibrated.
const RECALIBRATION_INTERVAL: Duration = Duration::from_secs(60);
/// Minimum number of other workers in a pool with which a worker compares itself.
const FEWEST_PEERS: usize = 2;

/// Leaves the pool while this host is slower or faster than the pool, and reports that. A host that
/// has left measures no runs, so it is calibrated at [`RECALIBRATION_INTERVAL`].
pub(super) async fn watch_drift(shared: &Shared, roster: &Roster, profiler: &Profiler) {
    let mut calibrated = Instant::now();
    loop {
        sleep(LOOK_INTERVAL).await;
        let (has_left, is_idle) = {
            let state = shared.state.borrow();
            (state.draining.starts_with(DRIFTED), state.runs.is_empty())
        };
        if has_left && is_idle && calibrated.elapsed() > RECALIBRATION_INTERVAL {
            match find_place(profiler).await {
                Ok(host) if host.calibration_ms() > 0.0 => shared.calibrated(host.calibration_ms()),
                Ok(_) => {}
                Err(fault) => tracing::warn!(target: TARGET, %fault, "this host is not calibrated"),
            }
            calibrated = Instant::now();
        }
        let own = shared.state.borrow().clone();
        let others = roster.workers().into_iter().map(|seen| seen.state);
        let others = others.filter(|other| other.pool == own.pool && other.worker != own.worker);
        let others: Vec<_> = others.map(|other| other.calibration_ms).collect();
        if others.len() < FEWEST_PEERS {
            // Two hosts cannot tell which of them differs from the pool.
            continue;
        }
        match drift(own.calibration_ms, &others) {
            Some(why) if own.draining.is_empty() => {
                calibrated = Instant::now();
                tracing::warn!(target: TARGET, why, "this host leaves its pool");
                shared.leave(&why);
            }
            None if own.draining.starts_with(DRIFTED) => {
                tracing::info!(target: TARGET, "this host is back in its pool");
                shared.leave("");
            }
            // Nothing changes: the host has left, it drains, or its speed is that of the pool.
            _ => {}
        }
    }
}

/// Prefix of the reason that a worker reports after it has left its pool.
pub(crate) const DRIFTED: &str = "it drifted";

/// Returns how a host differs from its pool, if it differs by more than the bound. The time of the
/// pool is the lower median of all hosts, so every host computes the same time. If two halves of a
/// pool differ, the slower half leaves.
fn drift(own_ms: f64, others_ms: &[f64]) -> Option<String> {
    let mut all = [others_ms, &[own_ms]].concat();
    all.sort_unstable_by(f64::total_cmp);
    let pool = all[(all.len() - 1) / 2];
    let differs = (own_ms / pool - 1.0).abs() > CALIBRATION_BOUND;
    differs.then(|| {
        format!("{DRIFTED}: its calibration takes {own_ms:.2} ms, the pool's {pool:.2} ms")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_drifts_against_two_others() {
        assert_eq!(drift(20.0, &[10.0, 20.0]).map(drop), None, "the lower median is 20");
        assert_eq!(drift(10.9, &[10.0, 10.0]), None);
        let why = drift(11.2, &[9.9, 10.1, 10.0]).expect("it drifts");
        assert_eq!(why, "it drifted: its calibration takes 11.20 ms, the pool's 10.00 ms");
        assert!(drift(8.5, &[10.0, 10.0]).is_some());
    }

    #[test]
    fn slower_of_two_halves_leaves() {
        assert_eq!(drift(10.0, &[10.0, 12.0, 12.0]), None);
        assert!(drift(12.0, &[10.0, 10.0, 12.0]).is_some());
    }
}
