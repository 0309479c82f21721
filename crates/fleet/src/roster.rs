//! Roster of the workers: each reports at an interval, and a worker that is silent for a while
//! counts as gone.
//!
//! The roster needs no storage. After a restart, it is full again within [`BEAT_INTERVAL`].

use crate::connection::Fleet;
use crate::connection::engine::StreamName;
use crate::error::FleetError;
use crate::messages::WorkerState;
use crate::names::{EVERY_JOB, ROLL_CALL, WORKERS, digest, pool_and_lane};
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
    list: Arc<Mutex<BTreeMap<String, (WorkerState, Instant)>>>,
    /// The task that listens for reports. It ends when this set is dropped.
    listening: Arc<Mutex<JoinSet<()>>>,
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
        let heard = Arc::clone(&self.list);
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        listening.spawn(async move {
            while let Some(message) = said.next().await {
                let Ok(state) = WorkerState::decode(message.payload) else { continue };
                let mut list = heard.lock().unwrap_or_else(PoisonError::into_inner);
                list.insert(state.worker.clone(), (state, Instant::now()));
                list.retain(|_, (_, at)| at.elapsed() < GONE_AFTER);
            }
        });
        Ok(())
    }

    /// Returns the workers that have reported recently, sorted by name.
    pub fn workers(&self) -> Vec<Seen> {
        let list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let present = list.values().filter(|(_, at)| at.elapsed() < GONE_AFTER);
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
