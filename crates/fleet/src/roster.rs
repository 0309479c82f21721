//! Roster of the workers: each reports at an interval, and a worker that is silent for a while
//! counts as gone.
//!
//! The roster needs no storage. After a restart, it is full again within [`BEAT_INTERVAL`].

pub(crate) mod drift;
pub(crate) mod peers;

use crate::connection::Fleet;
use crate::connection::engine::StreamName;
use crate::error::FleetError;
use crate::messages::{PoolDigest, WorkerState};
use crate::names::{EVERY_JOB, ROLL_CALL, WORKERS, digest, pool_and_lane};
use drift::leaving;
use futures::StreamExt;
use prost::Message;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Interval between the reports of a worker.
pub(crate) const BEAT_INTERVAL: Duration = Duration::from_secs(3);
/// Time after which a silent worker counts as gone.
const GONE_AFTER: Duration = Duration::from_secs(15);
/// Longest time between two reports of any workers, unless the roster was cut off or suspended.
const MAX_SILENCE: Duration = BEAT_INTERVAL.saturating_mul(2);
/// Time after which a roster that hears reports has heard every worker.
const WHOLE_AFTER: Duration = BEAT_INTERVAL.saturating_add(Duration::from_secs(1));

/// A worker, and the time of its last report.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Reported state.
    pub state: WorkerState,
    /// Time since the report.
    pub ago: Duration,
}

/// Chooses the pool for a task of a caller: always the same pool while the set of pools is the
/// same. When a pool comes or goes, most tasks keep theirs (rendezvous hashing: Thaler and
/// Ravishankar, IEEE/ACM Transactions on Networking 6(1), 1998).
pub fn choose_pool<'a>(
    pools: impl Iterator<Item = &'a str>,
    caller: &str,
    task: &str,
) -> Option<&'a str> {
    pools.max_by_key(|pool| digest(&[pool, caller, task]))
}

/// The workers that have reported recently. Clones share the list, which is kept up to date until
/// the last clone is dropped. By default, nobody listens for reports yet.
#[derive(Clone, Default)]
pub struct Roster {
    heard: Arc<Mutex<Heard>>,
    /// The task that listens for reports. It ends when this set is dropped.
    listening: Arc<Mutex<JoinSet<()>>>,
}

/// The reports of the workers.
#[derive(Default)]
struct Heard {
    workers: BTreeMap<String, (WorkerState, Instant)>,
    /// Times of the first report since the last silence, and of the last report.
    since: Option<(Instant, Instant)>,
}

impl Heard {
    fn hear(&mut self, state: WorkerState) {
        let now = Instant::now();
        let goes_on = |(_, last): &(Instant, Instant)| last.elapsed() < MAX_SILENCE;
        let first = self.since.filter(goes_on).map_or(now, |(first, _)| first);
        self.since = Some((first, now));
        self.workers.insert(state.worker.clone(), (state, now));
        self.workers.retain(|_, (_, at)| at.elapsed() < GONE_AFTER);
    }

    /// Whether every worker has had the time to report.
    fn is_whole(&self) -> bool {
        self.since.is_some_and(|(first, last)| {
            first.elapsed() >= WHOLE_AFTER && last.elapsed() < MAX_SILENCE
        })
    }
}

impl Roster {
    /// Starts to listen for reports, and asks all workers to report at once. The engine does not
    /// let a worker ask.
    pub async fn listen(&self, fleet: &Fleet) -> Result<(), FleetError> {
        self.hear(fleet).await?;
        let called = fleet.engine.publish(ROLL_CALL.into(), bytes::Bytes::new()).await;
        called.map_err(FleetError::when("listen for workers"))
    }

    /// Starts to listen for reports. Every worker reports within 3 s.
    pub async fn hear(&self, fleet: &Fleet) -> Result<(), FleetError> {
        let doing = "listen for workers";
        let mut said =
            fleet.engine.listen(WORKERS.into(), None).await.map_err(FleetError::when(doing))?;
        let heard = Arc::clone(&self.heard);
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        listening.spawn(async move {
            while let Some(message) = said.next().await {
                let Ok(state) = WorkerState::decode(message.payload) else { continue };
                heard.lock().unwrap_or_else(PoisonError::into_inner).hear(state);
            }
        });
        Ok(())
    }

    /// Returns the workers that have reported recently, sorted by name.
    pub fn workers(&self) -> Vec<Seen> {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let present = heard.workers.values().filter(|(_, at)| at.elapsed() < GONE_AFTER);
        present.map(|(state, at)| Seen { state: state.clone(), ago: at.elapsed() }).collect()
    }

    /// Returns the pools that have a worker that takes jobs, each with the number of its cores.
    pub fn pools(&self) -> BTreeMap<String, u32> {
        let mut pools = BTreeMap::new();
        for seen in self.workers() {
            if seen.state.draining.is_empty() {
                *pools.entry(seen.state.pool).or_insert(0) += seen.state.cores;
            }
        }
        pools
    }

    /// Returns the digest of each pool; none while the roster may lack workers.
    pub(crate) fn digests(&self) -> BTreeMap<String, PoolDigest> {
        if !self.heard.lock().unwrap_or_else(PoisonError::into_inner).is_whole() {
            return BTreeMap::new();
        }
        let mut pools: BTreeMap<String, Vec<WorkerState>> = BTreeMap::new();
        for Seen { state, .. } in self.workers() {
            pools.entry(state.pool.clone()).or_default().push(state);
        }
        let digest = |workers: Vec<WorkerState>| {
            let (calibration_ms, leaving) = leaving(&workers);
            let workers = u32::try_from(workers.len()).unwrap_or(u32::MAX);
            PoolDigest {
                workers,
                calibration_ms,
                leaving,
                reads_shared: true,
                ..PoolDigest::default()
            }
        };
        pools.into_iter().map(|(pool, workers)| (pool, digest(workers))).collect()
    }
}

/// The jobs of a pool that wait or are measured.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Queue {
    /// The pool.
    pub pool: String,
    /// Number of jobs.
    pub jobs: u64,
    /// Number of callers whose jobs these are.
    pub callers: u64,
}

impl Fleet {
    /// The queues of all pools.
    pub async fn queues(&self) -> Result<Vec<Queue>, FleetError> {
        let doing = "read the queues";
        let subjects = self.engine.subjects(EVERY_JOB.into()).await;
        let mut queues: BTreeMap<String, Queue> = BTreeMap::new();
        for (subject, jobs) in subjects.map_err(FleetError::when(doing))? {
            let Some((pool, _)) = pool_and_lane(&subject) else { continue };
            let new = || Queue { pool: pool.to_owned(), ..Queue::default() };
            let queue = queues.entry(pool.to_owned()).or_insert_with(new);
            queue.jobs += jobs as u64;
            queue.callers += 1;
        }
        Ok(queues.into_values().collect())
    }

    /// Returns the age of the oldest job in the queues; `None` if there is no job.
    pub async fn oldest_job(&self) -> Result<Option<Duration>, FleetError> {
        let state = self.engine.state(StreamName::Jobs).await;
        let state = state.map_err(FleetError::when("read the queues"))?;
        Ok(state.oldest.and_then(|since| since.elapsed().ok()))
    }
}
