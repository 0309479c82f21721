//! Jobs that the engine would never give out again.
//!
//! A consumer remembers which jobs it gave out and which of them ended. If a server is killed, this
//! memory can be newer than the stored queue: a job is in the queue, but its consumer takes it to
//! have ended. The gateway then replaces the consumer with a new one, which gives out all jobs of
//! the queue.

use super::Gateway;
use crate::error::FleetError;
use crate::names::{self, EVERY_JOB};
use crate::worker::ring;
use async_nats::jetstream::context::ConsumerInfoErrorKind;
use futures::StreamExt;
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
        let subjects = self.fleet.jobs.info_with_subjects(EVERY_JOB).await;
        let mut subjects = subjects.map_err(FleetError::when(doing))?;
        let mut stuck = BTreeMap::new();
        while let Some(subject) = subjects.next().await {
            let (subject, _) = subject.map_err(FleetError::when(doing))?;
            let Some((pool, lane)) = names::pool_and_lane(&subject) else { continue };
            match self.fleet.jobs.consumer_info(names::consumer(pool, lane)).await {
                Ok(found) if found.num_pending > 0 || found.num_ack_pending > 0 => continue,
                Ok(_) => {}
                Err(error) if error.kind() == ConsumerInfoErrorKind::NotFound => {}
                // The consumer may exist, with jobs under way. A new consumer would give these out
                // again.
                Err(error) => return Err(FleetError::new(doing, error.to_string())),
            }
            let oldest = self.fleet.jobs.raw_message_builder().sequence(1);
            // The job has just ended, or the engine does not answer.
            let Ok(oldest) = oldest.next_by_subject(&subject).send().await else { continue };
            stuck.insert((pool.to_owned(), lane.to_owned()), oldest.sequence);
        }
        Ok(stuck)
    }

    async fn give_out_anew(&self, (pool, lane): &Lane) -> Result<(), FleetError> {
        let name = names::consumer(pool, lane);
        tracing::warn!(target: "Profiler", consumer = name, "the engine has forgotten a job");
        // The consumer may be gone already.
        let _ = self.fleet.jobs.delete_consumer(&name).await;
        self.made.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
        self.make_consumer(pool, lane).await?;
        ring(&self.fleet.client, pool, lane).await
    }
}
