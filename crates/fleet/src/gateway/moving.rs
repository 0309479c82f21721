//! Moves of waiting runs from a pool without workers to another pool.
//!
//! The job is first queued in the new pool, then the log notes the move, and then the old job is
//! deleted. If a worker begins the run meanwhile, or another gateway moves it too, the log names
//! the job that counts, and workers skip the others.

use super::Gateway;
use crate::connection::ANSWER_TIMEOUT;
use crate::connection::engine::{Put, StreamName, Why};
use crate::error::FleetError;
use crate::log::{Fenced, RunLog, look};
use crate::messages::{Origin, QueuedJob};
use crate::names;
use crate::worker::ring;
use prost::Message;
use tokio::time::timeout;

impl Gateway {
    /// Moves a waiting run from one pool to another. Returns whether it waits there now. If not, a
    /// worker has begun it, it has ended, another gateway moves it, or the queue of the other pool
    /// is full.
    pub async fn move_run(&self, run_id: &str, from: &str, to: &str) -> Result<bool, FleetError> {
        let doing = "move a run to another pool";
        let mut log = RunLog::open(&self.fleet, run_id, "").await?;
        if log.standing().has_ended || log.standing().attempt > 0 {
            return Ok(false);
        }
        let origin = self.fleet.origin_of(run_id).await?;
        let Some(origin) = origin.filter(|origin| origin.pool == from) else { return Ok(false) };
        let Some(mut job) = self.queued_job(origin.job_sequence).await? else { return Ok(false) };
        let old = origin.job_sequence;
        let mut moved = Origin { pool: to.to_owned(), job_sequence: 0, ..origin };
        let lane = names::lane(moved.caller());
        self.make_consumer(to, &lane).await?;
        job.origin = Some(moved.clone());
        // Two gateways that move the same job to the same pool queue it once.
        let name = Some(format!("{run_id}.{old}.{to}"));
        let put = Put { name, ..Put::of(job.encode_to_vec()) };
        moved.job_sequence = match self.fleet.engine.store(names::jobs(to, &lane), put).await {
            Ok(position) => position,
            Err(error) if error.why == Why::Full => return Ok(false),
            Err(error) => return Err(FleetError::new(doing, error.to_string())),
        };
        let new = moved.job_sequence;
        let noted = timeout(ANSWER_TIMEOUT, log.moved(moved)).await;
        let has_moved = match noted.map_err(FleetError::when(doing))? {
            Ok(()) => true,
            // A worker or another gateway wrote to the log first.
            Err(Fenced) => look(&self.fleet, run_id).await?.job_sequence == new,
        };
        let surplus = if has_moved { old } else { new };
        // If this fails, a worker that gets the job skips it.
        let _ = self.fleet.remove(StreamName::Jobs, surplus).await;
        if has_moved {
            // If the ring fails, the workers find the job a little later.
            let _ = ring(&*self.fleet.engine, to, &lane).await;
        }
        Ok(has_moved)
    }

    /// Reads a job of the queue; `None` if it is gone.
    async fn queued_job(&self, job_sequence: u64) -> Result<Option<QueuedJob>, FleetError> {
        let doing = "read a job";
        let found = self.fleet.engine.at(StreamName::Jobs, job_sequence).await;
        let job = found.map_err(FleetError::when(doing))?;
        let job = job.map(|found| QueuedJob::decode(found.payload));
        job.transpose().map_err(FleetError::when(doing))
    }
}
