//! The live runs of the fleet: the runs that wait in each pool, and the number of runs ahead of
//! each.

use super::followed_run::FollowedRun;
use crate::runs::PoolQueue;
pub(super) use crate::runs::QueueState;
use profiler_turns::Turns;
use std::collections::{BTreeMap, HashMap};
use tokio::time::Instant;

#[derive(Default)]
pub(super) struct Runs {
    /// The live runs by their IDs, which are in the order of acceptance. A run enters by
    /// [`Runs::add`] and leaves by [`Runs::remove`], which keep `turns` up to date.
    pub(super) live: BTreeMap<String, FollowedRun>,
    /// The turns of the callers in each pool, as far as this gateway sees them.
    turns: HashMap<String, Turns>,
    /// Whether positions may have changed since the runs were last told.
    is_stale: bool,
}

impl Runs {
    /// Returns the number of waiting runs.
    pub(super) fn waiting(&self) -> usize {
        self.live.values().filter(|run| run.started.is_none()).count()
    }

    /// Adds an accepted run, unless it is known already.
    pub(super) fn add(&mut self, run: FollowedRun) {
        let run_id = run.origin.run_id().to_owned();
        if !self.live.contains_key(&run_id) {
            self.turns.entry(run.origin.pool.clone()).or_default().wait(run.origin.caller());
            self.live.insert(run_id, run);
            self.is_stale = true;
        }
    }

    /// Notes that a worker begins a run.
    pub(super) fn start(&mut self, run_id: &str) {
        let Some(run) = self.live.get_mut(run_id) else { return };
        if run.started.is_none() {
            run.started = Some(Instant::now());
            self.turns.entry(run.origin.pool.clone()).or_default().start(run.origin.caller());
            self.is_stale = true;
        }
    }

    /// Notes that a waiting run is in this pool.
    pub(super) fn move_to(&mut self, run_id: &str, pool: &str) {
        let waits = |run: &&mut FollowedRun| run.started.is_none() && run.origin.pool != pool;
        let Some(run) = self.live.get_mut(run_id).filter(waits) else { return };
        let old = std::mem::replace(&mut run.origin.pool, pool.to_owned());
        self.turns.entry(old).or_default().leave(run.origin.caller());
        self.turns.entry(pool.to_owned()).or_default().wait(run.origin.caller());
        self.is_stale = true;
    }

    /// Notes that a worker has a run now. Returns the worker that had it before, if it is known.
    pub(super) fn give(&mut self, run_id: &str, worker: &str) -> Option<String> {
        let run = self.live.get_mut(run_id)?;
        Some(std::mem::replace(&mut run.worker, worker.to_owned())).filter(|it| !it.is_empty())
    }

    /// Removes a run that has ended.
    pub(super) fn remove(&mut self, run_id: &str) -> Option<FollowedRun> {
        let run = self.live.remove(run_id)?;
        let turns = self.turns.entry(run.origin.pool.clone()).or_default();
        match run.started {
            Some(started) => turns.end(run.origin.caller(), started.elapsed()),
            None => turns.leave(run.origin.caller()),
        }
        self.is_stale = true;
        Some(run)
    }

    /// Returns the number of runs that would be ahead of a new one of `caller` in `pool`. The pool
    /// has this number of `cores`.
    pub(super) fn next_position(&self, pool: &str, caller: &str, cores: u32) -> u32 {
        let waiting = self.waiting_in(pool);
        let running = self.running_in(pool);
        if waiting.is_empty() && running < cores {
            return 0;
        }
        let callers: Vec<_> =
            waiting.iter().map(|run| run.origin.caller()).chain([caller]).collect();
        let ahead = self.order(pool, &callers);
        let ahead = ahead.iter().take_while(|at| **at < waiting.len()).count();
        running.saturating_add(u32::try_from(ahead).unwrap_or(u32::MAX))
    }

    /// Tells every waiting run the number of runs ahead of it, if any number may have changed.
    pub(super) fn tell_positions(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        for pool in self.turns.keys() {
            let waiting = self.waiting_in(pool);
            let callers: Vec<_> = waiting.iter().map(|run| run.origin.caller()).collect();
            let first = self.running_in(pool);
            for (ahead, at) in (first..).zip(self.order(pool, &callers)) {
                tell(waiting[at], ahead);
            }
        }
        for run in self.live.values().filter(|run| run.started.is_some()) {
            tell(run, 0);
        }
        let pools: Vec<_> = self.live.values().map(|run| run.origin.pool.clone()).collect();
        self.turns.retain(|pool, turns| pools.contains(pool) || turns.remembered() > 0);
    }

    /// Returns the running and the waiting runs.
    pub(super) fn state(&self) -> QueueState {
        let waits = |run: &FollowedRun| run.started.is_none().then(|| (run.class(), run.accepted));
        let waiting: Vec<_> = self.live.values().filter_map(waits).collect();
        let mut pools: BTreeMap<String, PoolQueue> = BTreeMap::new();
        for run in self.live.values() {
            let of = pools.entry(run.origin.pool.clone()).or_default();
            match run.started {
                Some(_) => of.running += 1,
                None => of.waiting.push(run.accepted),
            }
        }
        QueueState { running: self.live.len() - waiting.len(), waiting, pools }
    }

    fn waiting_in(&self, pool: &str) -> Vec<&FollowedRun> {
        let waits = |run: &&FollowedRun| run.started.is_none() && run.origin.pool == pool;
        self.live.values().filter(waits).collect()
    }

    fn running_in(&self, pool: &str) -> u32 {
        let runs = |run: &&FollowedRun| run.started.is_some() && run.origin.pool == pool;
        u32::try_from(self.live.values().filter(runs).count()).unwrap_or(u32::MAX)
    }

    fn order(&self, pool: &str, callers: &[&str]) -> Vec<usize> {
        match self.turns.get(pool) {
            Some(turns) => turns.order(callers),
            None => (0..callers.len()).collect(),
        }
    }
}

fn tell(run: &FollowedRun, ahead: u32) {
    let changed = |position: &mut u32| std::mem::replace(position, ahead) != ahead;
    run.queue_position.send_if_modified(changed);
}
