//! Jobs that the engine would never give out again.
//!
//! A consumer remembers which jobs it gave out and which of them ended. If a server is killed, this
//! memory can be newer than the stored queue: a job is in the queue, but its consumer takes it to
//! have ended. The gateway then replaces the consumer with a new one, which gives out all jobs of
//! the queue.

use super::Gateway;
use crate::connection::engine::StreamName;
use crate::error::FleetError;
use crate::names::{self, EVERY_JOB};
use crate::worker::ring;
use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::time::Duration;
use tokio::time::sleep;

/// Interval between the checks of a gateway. A lane must be stuck at the same job in two checks in
/// a row, because its last job can end between the two requests of one check.
const LOOK_INTERVAL: Duration = Duration::from_secs(30);

/// A pool, and a lane of it, which has the jobs of one caller.
type Lane = (String, String);

impl Gateway {
    /// Makes the streams that the engine has lost. The consumers of a lost queue are gone too.
    pub async fn make_streams(&self) -> Result<(), FleetError> {
        let made = self.fleet.engine.make_streams().await;
        made.map_err(FleetError::when("make the streams that the engine has lost"))?;
        self.made.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    /// Makes the queue give out jobs that it has forgotten, for as long as the future is polled.
    pub async fn recall_forgotten_jobs(&self) {
        let mut before = BTreeMap::new();
        loop {
            sleep(LOOK_INTERVAL).await;
            // A check that failed tells nothing about the lanes.
            let Ok(stuck) = self.stuck_lanes().await else { continue };
            for (lane, oldest) in &stuck {
                if before.get(lane) == Some(oldest)
                    && let Err(error) = self.give_out_anew(lane).await
                {
                    tracing::warn!(target: "Profiler", %error, "a forgotten job waits on");
                }
            }
            before = stuck;
        }
    }

    /// Returns the lanes whose consumers will give out none of their jobs, each with the position
    /// of its oldest job.
    async fn stuck_lanes(&self) -> Result<BTreeMap<Lane, u64>, FleetError> {
        let doing = "look for forgotten jobs";
        let subjects = self.fleet.engine.subjects(EVERY_JOB.into()).await;
        let mut stuck = BTreeMap::new();
        for (subject, _) in subjects.map_err(FleetError::when(doing))? {
            let Some((pool, lane)) = names::pool_and_lane(&subject) else { continue };
            // After a failure, the consumer may exist, with jobs under way. A new consumer would
            // give these out again.
            let has_jobs = self.fleet.engine.has_jobs(&names::consumer(pool, lane)).await;
            if has_jobs.map_err(FleetError::when(doing))? {
                continue;
            }
            let oldest = self.fleet.engine.next(StreamName::Jobs, &subject, 1).await;
            // The job has just ended, or the engine does not answer.
            let Ok(Some(oldest)) = oldest else { continue };
            stuck.insert((pool.to_owned(), lane.to_owned()), oldest.position);
        }
        Ok(stuck)
    }

    async fn give_out_anew(&self, (pool, lane): &Lane) -> Result<(), FleetError> {
        let name = names::consumer(pool, lane);
        tracing::warn!(target: "Profiler", consumer = name, "the engine has forgotten a job");
        // The consumer may be gone already.
        let _ = self.fleet.engine.delete_consumer(&name).await;
        self.made.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
        self.make_consumer(pool, lane).await?;
        ring(&*self.fleet.engine, pool, lane).await
    }
}
