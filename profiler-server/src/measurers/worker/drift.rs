//! Whether a host is as fast as its pool.

use super::shared::{Shared, median};
use crate::telemetry::logging::TARGET;
use profiler_fleet::Roster;
use std::time::Duration;
use tokio::time::sleep;

/// How often a worker compares itself with its pool.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// By what share this host may be slower or faster than its pool. Two hosts of one make differ by
/// less, and a class of growth does not notice this much.
const CALIBRATION_BOUND: f64 = 0.1;
/// How many other workers a pool must have before it says that this one differs.
const FEWEST_PEERS: usize = 2;

/// Leaves the pool while this host is slower or faster than it, and says so.
pub(super) async fn watch_drift(shared: &Shared, roster: &Roster) {
    loop {
        sleep(LOOK_INTERVAL).await;
        let own = shared.state.borrow().clone();
        let others = roster.workers().into_iter().map(|seen| seen.state);
        let others = others.filter(|other| other.pool == own.pool && other.worker != own.worker);
        let others: Vec<_> = others.map(|other| other.calibration_ms).collect();
        match drift(own.calibration_ms, &others) {
            Some(why) if own.draining.is_empty() => {
                tracing::warn!(target: TARGET, why, "this host leaves its pool");
                shared.leave(&why);
            }
            None if own.draining.starts_with(DRIFTED) => {
                tracing::info!(target: TARGET, "this host is back in its pool");
                shared.leave("");
            }
            // It has left, or it drains, or all is well.
            _ => {}
        }
    }
}

/// What a worker says that has left its pool begins so.
const DRIFTED: &str = "it drifted";

/// Whether a host differs from the others of its pool by more than the bound.
fn drift(own_ms: f64, others_ms: &[f64]) -> Option<String> {
    if others_ms.len() < FEWEST_PEERS {
        return None;
    }
    let pool = median(others_ms.iter().copied());
    let differs = (own_ms / pool - 1.0).abs() > CALIBRATION_BOUND;
    differs.then(|| {
        format!("{DRIFTED}: its calibration takes {own_ms:.2} ms, the pool's {pool:.2} ms")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_drifts_against_two_others() {
        assert_eq!(drift(20.0, &[10.0]), None);
        assert_eq!(drift(10.9, &[10.0, 10.0]), None);
        let why = drift(11.2, &[9.9, 10.1, 10.0]).expect("it drifts");
        assert_eq!(why, "it drifted: its calibration takes 11.20 ms, the pool's 10.00 ms");
        assert!(drift(8.5, &[10.0, 10.0]).is_some());
    }
}
