//! Comparison of the speed of a host with the speed of its pool.

use super::place::find_place;
use super::shared::Shared;
use crate::telemetry::logging::TARGET;
use profiler_core::Profiler;
use profiler_fleet::{Roster, WorkerState};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Interval at which a worker compares itself with its pool.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum difference in speed between a host and its pool, as a share. Two hosts of one model
/// differ by less, and a difference of this size does not change a class of growth.
const CALIBRATION_BOUND: f64 = 0.1;
/// Difference at which a host that has left its pool comes back. It is smaller, so that a host at
/// the bound does not come and go.
const RETURN_BOUND: f64 = 0.05;
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
        let others = roster.workers().into_iter().map(|seen| seen.state);
        let others = others.filter(|other| other.pool == own.pool && other.worker != own.worker);
        let others: Vec<_> = others.collect();
        if others.len() < FEWEST_PEERS {
            // Two hosts cannot tell which of them differs from the pool.
            continue;
        }
        match drift(&own, &others).map(|pool_ms| why(own.calibration_ms, pool_ms, shared.spread()))
        {
            Some(why) if own.draining.is_empty() => {
                calibrated = Instant::now();
                tracing::warn!(target: TARGET, why, "this host leaves its pool");
                shared.leave(&why);
            }
            None if has_drifted(&own.draining) => {
                tracing::info!(target: TARGET, "this host is back in its pool");
                shared.leave("");
            }
            // Nothing changes: the host has left, it drains, or its speed is that of the pool.
            _ => {}
        }
    }
}

/// Prefixes of the reason that a worker reports after it has left its pool: its speed differs, or
/// differs from run to run.
const DRIFTED: &str = "it drifted";
const NOISY: &str = "it is noisy";

/// Whether a worker that gives this reason has left its pool because of its speed.
pub(crate) fn has_drifted(draining: &str) -> bool {
    [DRIFTED, NOISY].iter().any(|prefix| draining.starts_with(prefix))
}

/// Returns the time of the pool if this host is to leave the pool, or to stay away from it. The
/// time of the pool is the lower median of all hosts, so every host computes the same time. If two
/// halves of a pool differ, the slower half leaves. The hosts that differ most leave first, and at
/// least half of the pool's cores stay.
fn drift(own: &WorkerState, others: &[WorkerState]) -> Option<f64> {
    let of_pool = |state: &&WorkerState| state.draining.is_empty() || has_drifted(&state.draining);
    let all: Vec<_> = others.iter().chain([own]).filter(of_pool).collect();
    let mut times: Vec<_> = all.iter().map(|state| state.calibration_ms).collect();
    times.sort_unstable_by(f64::total_cmp);
    let pool_ms = *times.get(times.len().checked_sub(1)? / 2)?;
    let difference = |state: &WorkerState| (state.calibration_ms / pool_ms - 1.0).abs();
    let differs = |state: &&&WorkerState| {
        let bound = if state.draining.is_empty() { CALIBRATION_BOUND } else { RETURN_BOUND };
        difference(state) > bound
    };
    let mut leaving: Vec<_> = all.iter().filter(differs).collect();
    leaving.sort_unstable_by(|one, other| {
        let by_speed = difference(other).total_cmp(&difference(one));
        by_speed.then_with(|| one.worker.cmp(&other.worker))
    });
    let cores = |state: &WorkerState| u64::from(state.cores);
    let total: u64 = all.iter().map(|state| cores(state)).sum();
    let mut staying = total;
    for state in leaving {
        if (staying - cores(state)) * 2 < total {
            continue;
        }
        staying -= cores(state);
        if state.worker == own.worker {
            return Some(pool_ms);
        }
    }
    None
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

    fn host(worker: usize, calibration_ms: f64) -> WorkerState {
        let worker = format!("host-{worker}");
        WorkerState { worker, calibration_ms, cores: 1, ..WorkerState::default() }
    }

    /// Whether each host of a pool leaves it, or stays away.
    fn leave(hosts: &[WorkerState]) -> Vec<bool> {
        let leaves = |own: &WorkerState| {
            let others = hosts.iter().filter(|other| other.worker != own.worker);
            drift(own, &others.cloned().collect::<Vec<_>>()).is_some()
        };
        hosts.iter().map(leaves).collect()
    }

    fn leave_at(times: &[f64]) -> Vec<bool> {
        leave(&times.iter().enumerate().map(|(at, ms)| host(at, *ms)).collect::<Vec<_>>())
    }

    #[test]
    fn host_drifts_against_two_others() {
        assert_eq!(leave_at(&[20.0, 10.0, 20.0]), [false, true, false], "the lower median is 20");
        assert_eq!(leave_at(&[10.9, 10.0, 10.0]), [false; 3]);
        assert_eq!(leave_at(&[11.2, 9.9, 10.1, 10.0]), [true, false, false, false]);
        assert_eq!(leave_at(&[8.5, 10.0, 10.0]), [true, false, false]);
    }

    #[test]
    fn slower_of_two_halves_leaves() {
        assert_eq!(leave_at(&[10.0, 10.0, 12.0, 12.0]), [false, false, true, true]);
    }

    #[test]
    fn half_of_the_cores_stay_however_the_hosts_differ() {
        assert_eq!(leave_at(&[10.0, 13.0, 17.0]), [false, false, true]);
        let large = WorkerState { cores: 4, ..host(2, 16.0) };
        assert_eq!(leave(&[host(0, 10.0), host(1, 10.0), large]), [false; 3]);
        // A host that drains measures nothing more.
        let drains = WorkerState { draining: "it was asked to drain".into(), ..host(3, 10.0) };
        let hosts = [host(0, 10.0), host(1, 10.0), host(2, 12.0), drains];
        assert_eq!(leave(&hosts), [false, false, true, false]);
    }

    #[test]
    fn host_comes_back_only_if_it_differs_by_little() {
        let away = |ms| WorkerState { draining: why(ms, 10.0, (ms, ms)), ..host(2, ms) };
        assert_eq!(leave(&[host(0, 10.0), host(1, 10.0), away(10.6)]), [false, false, true]);
        assert_eq!(leave(&[host(0, 10.0), host(1, 10.0), away(10.4)]), [false; 3]);
    }

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
