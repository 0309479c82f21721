//! Queue of a worker's pool: the callers that wait, and the choice of the next job.

use super::outages::Outages;
use crate::connection::engine::{Consumer, Job};
use crate::connection::{ANSWER_TIMEOUT, Fleet};
use crate::error::FleetError;
use crate::names;
use profiler_turns::Turns;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// A job that the queue gave out.
pub(super) struct Found {
    pub(super) job: Job,
    /// Lane of its caller.
    pub(super) lane: String,
    /// Time at which the engine was asked for it. Its lease counts from then.
    pub(super) asked: Instant,
}

/// The waiting callers that this host knows of, and their turns.
pub(super) struct Queue {
    fleet: Fleet,
    pool: String,
    outages: Arc<Outages>,
    turns: Turns,
    waiting: BTreeSet<String>,
    consumers: HashMap<String, Box<dyn Consumer>>,
}

impl Queue {
    pub(super) fn new(fleet: Fleet, pool: String, outages: Arc<Outages>) -> Self {
        let (turns, waiting, consumers) = Default::default();
        Self { fleet, pool, outages, turns, waiting, consumers }
    }

    /// Takes a job of the caller whose turn it is.
    pub(super) async fn next(&mut self) -> Result<Option<Found>, FleetError> {
        self.look().await?;
        let lanes: Vec<_> = self.waiting.iter().cloned().collect();
        let order = self.turns.order(&lanes.iter().map(String::as_str).collect::<Vec<_>>());
        for lane in order.into_iter().map(|at| lanes[at].clone()) {
            if let Some(found) = self.take(lane).await {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Takes a job of the lane that the bell named. A worker that waited for the bell knows of no
    /// other.
    pub(super) async fn rung(&mut self, lane: String) -> Option<Found> {
        if self.waiting.insert(lane.clone()) {
            self.turns.wait(&lane);
        }
        self.take(lane).await
    }

    /// Notes that a job of a lane has ended on this host.
    pub(super) fn ended(&mut self, lane: &str, took: Duration) {
        self.turns.end(lane, took);
    }

    /// Finds out which lanes have jobs in the queue.
    async fn look(&mut self) -> Result<(), FleetError> {
        let doing = "look for jobs";
        let every = names::jobs(&self.pool, "*");
        let subjects = self.fleet.engine.subjects(every).await;
        self.outages.note(&*self.fleet.engine, subjects.is_ok()).await;
        let mut present = BTreeSet::new();
        for (subject, _) in subjects.map_err(FleetError::when(doing))? {
            present.extend(subject.rsplit('.').next().map(String::from));
        }
        for lane in present.difference(&self.waiting) {
            self.turns.wait(lane);
        }
        for lane in self.waiting.difference(&present) {
            self.turns.leave(lane);
            self.consumers.remove(lane);
        }
        self.waiting = present;
        Ok(())
    }

    /// Takes a job of a waiting lane, and unmarks the lane until [`look`](Self::look) finds it
    /// again.
    async fn take(&mut self, lane: String) -> Option<Found> {
        let asked = Instant::now();
        let fetched = self.fetch(&lane).await;
        self.waiting.remove(&lane);
        match fetched {
            Ok(Some(job)) => {
                self.turns.start(&lane);
                return Some(Found { job, lane, asked });
            }
            // Other workers are already measuring all jobs of the lane.
            Ok(None) => {}
            // A failure for one caller must not stop the others.
            Err(error) => {
                tracing::warn!(target: "Profiler", lane, %error, "a caller's jobs are passed over");
                self.consumers.remove(&lane);
            }
        }
        self.turns.leave(&lane);
        None
    }

    /// Fetches a job of a lane, if one waits.
    async fn fetch(&mut self, lane: &str) -> Result<Option<Job>, FleetError> {
        let doing = "look for jobs";
        let consumer = self.consumer(lane).await?;
        // Without a timeout, the client would wait forever if the connection breaks after the
        // request.
        let answer = timeout(ANSWER_TIMEOUT, consumer.fetch()).await;
        let answer = answer.map_err(|_| FleetError::new(doing, "the engine did not answer"))?;
        answer.map_err(FleetError::when(doing))
    }

    async fn consumer(&mut self, lane: &str) -> Result<&dyn Consumer, FleetError> {
        let doing = "find a caller's jobs";
        if !self.consumers.contains_key(lane) {
            let name = names::consumer(&self.pool, lane);
            let found = self.fleet.engine.consumer(&name).await;
            self.consumers.insert(lane.to_owned(), found.map_err(FleetError::when(doing))?);
        }
        let found = self.consumers.get(lane).map(|consumer| &**consumer);
        found.ok_or_else(|| FleetError::new(doing, "it is gone"))
    }
}
