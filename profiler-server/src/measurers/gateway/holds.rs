//! Which runs callers of other gateways hold.

use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::time::Instant;

/// How often a gateway says which runs its callers hold.
pub(super) const HOLD_INTERVAL: Duration = Duration::from_secs(5);
/// How long a hold lasts that is not said again.
const HOLD_LASTS: Duration = Duration::from_secs(12);

/// The holds that were heard, and when.
#[derive(Debug, Default)]
pub(super) struct Elsewhere(HashMap<String, Instant>);

impl Elsewhere {
    /// A gateway has said which runs its callers hold.
    pub(super) fn heard(&mut self, runs: HashSet<String>) {
        let now = Instant::now();
        self.0.retain(|_, at| at.elapsed() < HOLD_LASTS);
        self.0.extend(runs.into_iter().map(|run_id| (run_id, now)));
    }

    /// Whether a caller of another gateway holds a run.
    pub(super) fn hold(&self, run_id: &str) -> bool {
        self.0.get(run_id).is_some_and(|at| at.elapsed() < HOLD_LASTS)
    }
}
