//! Runs that callers of other gateways hold.

use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::time::Instant;

/// Interval at which a gateway reports the runs that its callers hold.
pub(super) const HOLD_INTERVAL: Duration = Duration::from_secs(5);
/// Time after which a hold ends unless its gateway reports it again.
const HOLD_LASTS: Duration = Duration::from_secs(12);

/// Last report of each gateway, and its time.
#[derive(Debug, Default)]
pub(super) struct Elsewhere(HashMap<String, (HashSet<String>, Instant)>);

impl Elsewhere {
    /// Notes the runs that the callers of a gateway hold.
    pub(super) fn heard(&mut self, gateway: String, runs: Vec<String>) {
        self.0.retain(|_, (_, at)| at.elapsed() < HOLD_LASTS);
        self.0.insert(gateway, (runs.into_iter().collect(), Instant::now()));
    }

    /// Whether a caller of another gateway holds a run.
    pub(super) fn hold(&self, run_id: &str) -> bool {
        let mut said = self.0.values().filter(|(_, at)| at.elapsed() < HOLD_LASTS);
        said.any(|(runs, _)| runs.contains(run_id))
    }
}
