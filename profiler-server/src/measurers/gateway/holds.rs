//! Runs that callers of other gateways hold.

use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::time::Instant;

/// Interval at which a gateway says which runs its callers hold.
pub(super) const HOLD_INTERVAL: Duration = Duration::from_secs(5);
/// Duration of a hold that is not said again.
const HOLD_LASTS: Duration = Duration::from_secs(12);

/// Last statement of each gateway, and its time.
#[derive(Debug, Default)]
pub(super) struct Elsewhere(HashMap<String, (HashSet<String>, Instant)>);

impl Elsewhere {
    /// A gateway has said which runs its callers hold.
    pub(super) fn heard(&mut self, gateway: String, runs: HashSet<String>) {
        self.0.retain(|_, (_, at)| at.elapsed() < HOLD_LASTS);
        self.0.insert(gateway, (runs, Instant::now()));
    }

    /// Whether a caller of another gateway holds a run.
    pub(super) fn hold(&self, run_id: &str) -> bool {
        let holds = |(runs, at): &(HashSet<String>, Instant)| {
            at.elapsed() < HOLD_LASTS && runs.contains(run_id)
        };
        self.0.values().any(holds)
    }
}
