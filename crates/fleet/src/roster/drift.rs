//! Rule by which a host leaves its pool, because its speed is not that of the pool.

use crate::messages::WorkerState;

/// Maximum difference in speed between a host and its pool, as a share. Two hosts of one model
/// differ by less, and a difference of this size does not change a class of growth.
pub const CALIBRATION_BOUND: f64 = 0.1;
/// Difference at which a host that has left its pool comes back. It is smaller, so that a host at
/// the bound does not come and go.
const RETURN_BOUND: f64 = 0.05;
/// Prefix of the reason that a worker reports after it has left its pool because its speed differs.
pub const DRIFTED: &str = "it drifted";
/// Prefix of the reason if the speed also differs from run to run.
pub const NOISY: &str = "it is noisy";

/// Whether a worker that gives this reason has left its pool because of its speed.
pub fn has_drifted(draining: &str) -> bool {
    [DRIFTED, NOISY].iter().any(|prefix| draining.starts_with(prefix))
}

/// Whether a worker is too slow or too fast for a pool whose calibration takes this time.
pub(super) fn differs(worker: &WorkerState, pool_ms: f64) -> bool {
    let bound = if worker.draining.is_empty() { CALIBRATION_BOUND } else { RETURN_BOUND };
    difference(worker, pool_ms) > bound
}

fn difference(worker: &WorkerState, pool_ms: f64) -> f64 {
    (worker.calibration_ms / pool_ms - 1.0).abs()
}

/// Returns the time of a pool, and the workers that are to leave it, or to stay away from it. The
/// time is the lower median of all hosts. If two halves of a pool differ, the slower half leaves.
/// The hosts that differ most leave first, and at least half of the pool's cores stay.
pub(super) fn leaving(workers: &[WorkerState]) -> (f64, Vec<String>) {
    let of_pool = |it: &&WorkerState| it.draining.is_empty() || has_drifted(&it.draining);
    let all: Vec<_> = workers.iter().filter(of_pool).collect();
    let mut times: Vec<_> = all.iter().map(|worker| worker.calibration_ms).collect();
    times.sort_unstable_by(f64::total_cmp);
    let pool_ms = times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or_default();
    let mut differing: Vec<_> = all.iter().filter(|worker| differs(worker, pool_ms)).collect();
    differing.sort_unstable_by(|one, other| {
        let by_speed = difference(other, pool_ms).total_cmp(&difference(one, pool_ms));
        by_speed.then_with(|| one.worker.cmp(&other.worker))
    });
    let total: u64 = all.iter().map(|worker| u64::from(worker.cores)).sum();
    let mut staying = total;
    differing.retain(|worker| {
        let left = staying - u64::from(worker.cores);
        let leaves = left * 2 >= total;
        if leaves {
            staying = left;
        }
        leaves
    });
    (pool_ms, differing.into_iter().map(|worker| worker.worker.clone()).collect())
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
        let (_, leaving) = leaving(hosts);
        hosts.iter().map(|host| leaving.contains(&host.worker)).collect()
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
        let away = |ms| WorkerState { draining: format!("{DRIFTED}: slow"), ..host(2, ms) };
        assert_eq!(leave(&[host(0, 10.0), host(1, 10.0), away(10.6)]), [false, false, true]);
        assert_eq!(leave(&[host(0, 10.0), host(1, 10.0), away(10.4)]), [false; 3]);
    }
}
