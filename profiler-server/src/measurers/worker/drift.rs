//! Comparison of the speed of a host with the speed of its pool.

use super::place::find_place;
use super::shared::Shared;
use crate::telemetry::logging::TARGET;
use profiler_core::Profiler;
use profiler_fleet::{CALIBRATION_BOUND, DRIFTED, NOISY, Speed, has_drifted};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Interval at which a worker compares itself with its pool.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Interval at which a host that has left its pool is calibrated.
const RECALIBRATION_INTERVAL: Duration = Duration::from_secs(60);

/// Leaves the pool while this host is slower or faster than the pool, and reports that. A host that
/// has left measures no runs, so it is calibrated at [`RECALIBRATION_INTERVAL`].
pub(super) async fn watch_drift(shared: &Shared, profiler: &Profiler) {
    let mut calibrated = Instant::now();
    loop {
        sleep(LOOK_INTERVAL).await;
        let (has_left, is_idle) = {
            let state = shared.state.borrow();
            (has_drifted(&state.draining), state.runs.is_empty())
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
        match shared.peers.compare(&own) {
            Speed::Differs(pool_ms) if own.draining.is_empty() => {
                let why = why(own.calibration_ms, pool_ms, shared.spread());
                calibrated = Instant::now();
                tracing::warn!(target: TARGET, why, "this host leaves its pool");
                shared.leave(&why);
            }
            Speed::OfPool if has_drifted(&own.draining) => {
                tracing::info!(target: TARGET, "this host is back in its pool");
                shared.leave("");
            }
            // Nothing changes: the host has left, it drains, or its speed is that of the pool.
            _ => {}
        }
    }
}

/// Returns the reason why a host leaves its pool. Half of its calibrations are within `spread`.
fn why(own_ms: f64, pool_ms: f64, (least_ms, most_ms): (f64, f64)) -> String {
    if most_ms / least_ms - 1.0 > CALIBRATION_BOUND {
        return format!(
            "{NOISY}: its calibration takes {least_ms:.2} to {most_ms:.2} ms, the pool's \
             {pool_ms:.2} ms"
        );
    }
    format!("{DRIFTED}: its calibration takes {own_ms:.2} ms, the pool's {pool_ms:.2} ms")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_tells_drift_from_noise() {
        let drifts = why(11.2, 10.0, (11.0, 11.3));
        assert_eq!(drifts, "it drifted: its calibration takes 11.20 ms, the pool's 10.00 ms");
        let noisy = why(11.2, 10.0, (9.9, 13.0));
        assert_eq!(
            noisy,
            "it is noisy: its calibration takes 9.90 to 13.00 ms, the pool's 10.00 ms"
        );
        assert!(
            has_drifted(&drifts) && has_drifted(&noisy) && !has_drifted("it was asked to drain")
        );
    }
}
