//! Live runs of a pool whose workers are gone: a run that waits moves to another pool, and a run
//! that cannot move ends with a reason.

use super::followed_run::FollowedRun;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::time::Instant;

/// Pool of the runs that were accepted while no worker took jobs. They move as soon as one does.
pub(super) const UNPLACED: &str = "unplaced";
/// Time after which a waiting run moves. A worker that restarts is back earlier.
const MOVES_AFTER: Duration = Duration::from_secs(60);
/// Additional time that other gateways leave to the one that accepted the run.
const OTHERS_MOVE_AFTER: Duration = Duration::from_secs(30);
/// Time after which a run that cannot move ends. A host that reboots is back earlier.
const ENDS_AFTER: Duration = Duration::from_secs(10 * 60);
/// Reason that is given for the end of a run that cannot move.
pub(super) const POOL_IS_GONE: &str = "no worker of the run's pool is left";

/// The pools of live runs that lack workers, each with the time at which that was first seen.
#[derive(Debug, Default)]
pub(super) struct Stranded {
    /// Pools whose workers, if there are any, take no jobs.
    idle: HashMap<String, Instant>,
    /// Pools without any worker.
    empty: HashMap<String, Instant>,
    /// Time since which another pool takes jobs.
    refuge: Option<Instant>,
    /// Runs that this gateway is moving.
    pub(super) moving: HashSet<String>,
}

impl Stranded {
    /// Compares the pools of live runs with those that take jobs and those that have a worker.
    pub(super) fn look(
        &mut self,
        live: &HashSet<&str>,
        taking: &HashSet<&str>,
        present: &HashSet<&str>,
    ) {
        note(&mut self.idle, live.difference(taking).copied().collect());
        note(&mut self.empty, live.difference(present).copied().collect());
        self.refuge = if taking.is_empty() { None } else { self.refuge.or(Some(Instant::now())) };
    }

    /// Whether a run is to move to another pool.
    pub(super) fn moves(&self, run: &FollowedRun) -> bool {
        let pool = run.origin.pool.as_str();
        let others = if run.record.is_some() { Duration::ZERO } else { OTHERS_MOVE_AFTER };
        let own = if pool == UNPLACED { Duration::ZERO } else { MOVES_AFTER };
        let since = self.idle.get(pool).zip(self.refuge);
        let has_waited = since.is_some_and(|(idle, refuge)| {
            idle.elapsed() >= own + others && refuge.elapsed() >= others
        });
        run.started.is_none() && !run.origin.is_bound && has_waited
    }

    /// Whether a run is to end, because it cannot move and no worker of its pool is left.
    pub(super) fn ends(&self, run: &FollowedRun) -> bool {
        let is_fixed = run.started.is_some() || run.origin.is_bound;
        let empty = self.empty.get(&run.origin.pool);
        is_fixed && empty.is_some_and(|since| since.elapsed() >= ENDS_AFTER)
    }
}

/// Forgets other pools than these, and notes the time for new ones.
fn note(seen: &mut HashMap<String, Instant>, pools: HashSet<&str>) {
    seen.retain(|pool, _| pools.contains(pool.as_str()));
    for pool in pools {
        if !seen.contains_key(pool) {
            seen.insert(pool.to_owned(), Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::metrics::Metrics;
    use crate::telemetry::run_record::{Requester, RunRecord};
    use profiler_fleet::Origin;
    use tokio::time::advance;

    fn run() -> FollowedRun {
        FollowedRun::new(Origin { pool: "old".into(), ..Origin::default() })
    }

    fn accepted_here() -> FollowedRun {
        let record = RunRecord::new(Metrics::new("fleet"), "run", "task", Requester::named("a"));
        FollowedRun { record: Some(record), ..run() }
    }

    /// Looks at a fleet whose runs are in the pool `old`, and in which these pools take jobs.
    fn look(stranded: &mut Stranded, taking: &[&str]) {
        let taking = taking.iter().copied().collect();
        stranded.look(&["old"].into(), &taking, &taking);
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_run_moves_after_its_patience() {
        let mut stranded = Stranded::default();
        look(&mut stranded, &["new"]);
        advance(MOVES_AFTER / 2).await;
        look(&mut stranded, &["new"]);
        assert!(!stranded.moves(&accepted_here()), "a worker may come back");
        advance(MOVES_AFTER / 2).await;
        assert!(stranded.moves(&accepted_here()));
        assert!(!stranded.moves(&run()), "another gateway accepted it");
        advance(OTHERS_MOVE_AFTER).await;
        assert!(stranded.moves(&run()), "the other gateway is gone");
        look(&mut stranded, &["new", "old"]);
        assert!(!stranded.moves(&run()), "its pool is back");
    }

    #[tokio::test(start_paused = true)]
    async fn run_without_a_pool_moves_when_a_worker_comes() {
        let unplaced = || Origin { pool: UNPLACED.into(), ..Origin::default() };
        let ours = FollowedRun { origin: unplaced(), ..accepted_here() };
        let mut stranded = Stranded::default();
        stranded.look(&[UNPLACED].into(), &[].into(), &[].into());
        advance(ENDS_AFTER).await;
        assert!(!stranded.moves(&ours) && !stranded.ends(&ours));
        stranded.look(&[UNPLACED].into(), &["new"].into(), &["new"].into());
        assert!(stranded.moves(&ours) && !stranded.moves(&FollowedRun::new(unplaced())));
    }

    #[tokio::test(start_paused = true)]
    async fn run_that_cannot_move_ends() {
        let bound = Origin { is_bound: true, ..run().origin };
        let begun = FollowedRun { started: Some(Instant::now()), ..run() };
        let mut stranded = Stranded::default();
        look(&mut stranded, &["new"]);
        advance(ENDS_AFTER).await;
        for fixed in [FollowedRun::new(bound), begun] {
            assert!(stranded.ends(&fixed) && !stranded.moves(&fixed));
        }
        assert!(!stranded.ends(&run()), "it moves");
        // Its worker drains, and may still measure it.
        let begun = FollowedRun { started: Some(Instant::now()), ..run() };
        stranded.look(&["old"].into(), &["new"].into(), &["new", "old"].into());
        assert!(!stranded.ends(&begun));
    }

    #[tokio::test(start_paused = true)]
    async fn run_waits_while_no_pool_takes_jobs() {
        let mut stranded = Stranded::default();
        look(&mut stranded, &[]);
        advance(ENDS_AFTER).await;
        assert!(!stranded.moves(&accepted_here()));
        look(&mut stranded, &["new"]);
        assert!(stranded.moves(&accepted_here()));
        assert!(!stranded.moves(&run()), "the gateway that accepted it is first");
    }
}
