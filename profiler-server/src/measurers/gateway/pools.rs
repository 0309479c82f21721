//! The pools of a fleet, as the metrics show them.

use crate::measurers::worker::has_drifted;
use crate::runs::PoolQueue;
use crate::telemetry::metrics::PoolReading;
use profiler_fleet::Roster;
use std::collections::BTreeMap;
use tokio::time::Instant;

/// Returns the state of each pool that has workers or live runs.
pub(crate) fn read_pools(
    roster: &Roster,
    queues: &BTreeMap<String, PoolQueue>,
) -> Vec<PoolReading> {
    let mut pools: BTreeMap<String, PoolReading> = BTreeMap::new();
    for seen in roster.workers() {
        let of = pools.entry(seen.state.pool).or_default();
        match seen.state.draining.as_str() {
            "" => {
                of.working += 1;
                of.cores += seen.state.cores;
            }
            why if has_drifted(why) => of.drifted += 1,
            _ => of.draining += 1,
        }
    }
    for (pool, queue) in queues {
        let of = pools.entry(pool.clone()).or_default();
        of.running = queue.running;
        of.waiting = queue.waiting.len();
        of.oldest = queue.waiting.iter().map(Instant::elapsed).max().unwrap_or_default();
    }
    let named = |(pool, reading)| PoolReading { pool, ..reading };
    pools.into_iter().map(named).collect()
}
