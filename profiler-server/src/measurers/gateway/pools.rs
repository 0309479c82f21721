//! The pools of a fleet: as the metrics show them, and for the runs of a pool that has lost its
//! workers.

#[cfg(test)]
mod tests;

use super::followed_run::FollowedRun;
use super::message::Message;
use super::owner::Owner;
use crate::runs::PoolQueue;
use crate::telemetry::logging::TARGET;
use crate::telemetry::metrics::PoolReading;
use profiler_fleet::{Roster, choose_pool, has_drifted};
use std::collections::BTreeMap;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// Maximum number of runs that a gateway moves at the same time, and of those at the engine.
const MAX_MOVES: usize = 512;
static AT_ENGINE: Semaphore = Semaphore::const_new(32);

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

impl Owner {
    /// Looks which pools lack workers.
    pub(super) fn look_for_stranded(&mut self, taking: &BTreeMap<String, u32>) {
        let workers = self.roster.workers();
        let present = workers.iter().map(|seen| seen.state.pool.as_str()).collect();
        let live = self.runs.live.values().map(|run| run.origin.pool.as_str()).collect();
        self.stranded.look(&live, &taking.keys().map(String::as_str).collect(), &present);
    }

    /// Moves runs that wait for a pool without workers to the pool for their task.
    pub(super) fn move_stranded(&mut self, taking: &BTreeMap<String, u32>) {
        let Self { runs, stranded, .. } = self;
        let is_new = |run: &&FollowedRun| {
            stranded.moves(run) && !stranded.moving.contains(run.origin.run_id())
        };
        let free = MAX_MOVES.saturating_sub(stranded.moving.len());
        let moves: Vec<_> = runs.live.values().filter(is_new).take(free).collect();
        for run in moves {
            let (run_id, caller) = (run.origin.run_id().to_owned(), run.origin.caller());
            let task = run.origin.run.as_ref().map_or("", |row| row.task_id.as_str());
            let pool = choose_pool(taking.keys().map(String::as_str), caller, task);
            let Some(pool) = pool.map(String::from) else { return };
            stranded.moving.insert(run_id.clone());
            let (gateway, messages) = (self.gateway.clone(), self.messages.clone());
            let from = run.origin.pool.clone();
            tokio::spawn(async move {
                // The semaphore is never closed.
                let permit = AT_ENGINE.acquire().await;
                match gateway.move_run(&run_id, &from, &pool).await {
                    Ok(true) => {
                        tracing::info!(target: TARGET, run_id, from, pool, "a run moves");
                    }
                    // A worker has begun it, or its new pool is full. The next look tells.
                    Ok(false) => {}
                    Err(error) => {
                        tracing::warn!(target: TARGET, run_id, %error, "a run does not move");
                    }
                }
                drop(permit);
                // If the owner has ended, nothing moves any more.
                let _ = messages.send(Message::MoveTried(run_id)).await;
            });
        }
    }
}
