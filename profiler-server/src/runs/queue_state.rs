//! Who runs and who waits, as the metrics show it.

use tokio::time::Instant;

/// The live runs at one moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct QueueState {
    /// Runs whose turn it is.
    pub(crate) running: usize,
    /// The waiting runs: how the caller of each is known, and since when it waits.
    pub(crate) waiting: Vec<(&'static str, Instant)>,
}
