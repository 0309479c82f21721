//! Running and waiting runs, as the metrics show them.

use std::collections::BTreeMap;
use tokio::time::Instant;

/// The live runs at one moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct QueueState {
    /// Runs whose turn has come.
    pub(crate) running: usize,
    /// The class of the caller of each waiting run, and the time at which it was accepted.
    pub(crate) waiting: Vec<(&'static str, Instant)>,
    /// The runs of each pool of a fleet; empty without a fleet.
    pub(crate) pools: BTreeMap<String, PoolQueue>,
}

/// The live runs of a pool.
#[derive(Debug, Clone, Default)]
#[cfg_attr(not(feature = "fleet"), expect(dead_code, reason = "there are no pools"))]
pub(crate) struct PoolQueue {
    /// Runs that a worker measures.
    pub(crate) running: usize,
    /// Times at which the waiting runs were accepted.
    pub(crate) waiting: Vec<Instant>,
}
