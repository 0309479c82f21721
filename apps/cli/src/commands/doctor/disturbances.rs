//! Disturbances of measurements on this host, with the reason and the remedy of each.

mod activity;
mod disturbance;
mod kernel;
mod settings;

pub(super) use activity::{INTERVAL, Observation};
pub(super) use disturbance::Disturbance;

use super::host::Root;

/// Returns every disturbance of this host. Activity is measured between `before` and now.
pub(super) fn find(host: &Root, before: &Observation) -> Vec<Disturbance> {
    let now = Observation::now(host);
    let checks = settings::CHECKS.iter().chain(&kernel::CHECKS);
    checks
        .filter_map(|check| check(host))
        .chain(activity::CHECKS.iter().filter_map(|check| check(before, &now)))
        .collect()
}

#[cfg(test)]
mod tests;
