//! The bell of a pool: a gateway rings it for each job, and the engine wakes one free worker.
//!
//! The engine does not store a ring, so workers also look for jobs at an interval.

use crate::connection::engine::{Engine, Heard, Listening};
use crate::error::FleetError;
use crate::names::{QUEUE_GROUP, bell, is_lane};
use futures::StreamExt;
use std::future::pending;
use std::sync::Arc;

/// A free worker that listens for jobs of its pool.
pub(crate) struct Bell {
    engine: Arc<dyn Engine>,
    pool: String,
    rings: Box<dyn Listening>,
}

/// Tells a free worker of the pool, if there is one, that this lane has a job.
pub(crate) async fn ring(engine: &dyn Engine, pool: &str, lane: &str) -> Result<(), FleetError> {
    let rung = engine.publish(bell(pool), lane.to_owned().into()).await;
    rung.map_err(FleetError::when("wake a worker"))
}

impl Bell {
    pub(crate) async fn listen(engine: &Arc<dyn Engine>, pool: &str) -> Result<Self, FleetError> {
        let rings = engine.listen(bell(pool), Some(QUEUE_GROUP)).await;
        let rings = rings.map_err(FleetError::when("listen for jobs"))?;
        Ok(Self { engine: Arc::clone(engine), pool: pool.to_owned(), rings })
    }

    /// Waits for a ring, and returns the lane of its job, if the ring names one.
    pub(crate) async fn rung(&mut self) -> Option<String> {
        match self.rings.next().await {
            Some(ring) => lane_of(&ring),
            // The connection is closed, and the client does not open it again.
            None => pending().await,
        }
    }

    /// Stops listening. Rings that arrived before then are passed on to another worker.
    pub(crate) fn leave(mut self) {
        tokio::spawn(async move {
            if self.rings.drain().await.is_err() {
                return;
            }
            while let Some(missed) = self.rings.next().await {
                // If the ring fails, the other workers find the job a little later.
                let lane = lane_of(&missed).unwrap_or_default();
                let _ = ring(&*self.engine, &self.pool, &lane).await;
            }
        });
    }
}

fn lane_of(ring: &Heard) -> Option<String> {
    String::from_utf8(ring.payload.to_vec()).ok().filter(|lane| is_lane(lane))
}
