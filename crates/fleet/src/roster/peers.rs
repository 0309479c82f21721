//! The pool of a worker, as gateways describe it. A worker does not hear other workers: every one
//! would hear every other one.
//!
//! Each gateway tells every pool its digest, without a vote. If one is lost, the others go on; if
//! two have not heard the same workers, a worker believes the one that has heard more.

use super::drift::differs;
use crate::connection::Fleet;
use crate::error::FleetError;
use crate::messages::{PoolDigest, WorkerState};
use crate::names;
use futures::StreamExt;
use prost::Message;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Interval between the digests of a gateway.
pub(crate) const DIGEST_INTERVAL: Duration = Duration::from_secs(5);
/// Time for which the digest of a gateway counts that tells no other.
const DIGEST_COUNTS: Duration = Duration::from_secs(15);
/// Minimum number of workers in a pool that are compared. Two hosts cannot tell which of them
/// differs from the pool.
const FEWEST_WORKERS: u32 = 3;

/// The digests of a worker's pool. Clones share them, and they are kept up to date until the last
/// clone is dropped. By default, nobody listens for them yet.
#[derive(Clone, Default)]
pub struct Peers {
    /// The last digest of each gateway, and its time, in the order in which they arrived.
    digests: Arc<Mutex<Vec<(PoolDigest, Instant)>>>,
    /// The task that listens for digests. It ends when this set is dropped.
    listening: Arc<Mutex<JoinSet<()>>>,
}

/// The speed of a host, next to that of its pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Speed {
    /// No gateway describes the pool, or the pool has too few workers.
    Unknown,
    /// The pool's speed, or one that the pool cannot do without.
    OfPool,
    /// Another one. The value is the time that a calibration takes in the pool, in milliseconds.
    Differs(f64),
}

impl Peers {
    /// Starts to listen for the digests of a pool.
    pub async fn hear(&self, fleet: &Fleet, pool: &str) -> Result<(), FleetError> {
        let told = fleet.engine.listen(names::digests(pool), None).await;
        let mut told = told.map_err(FleetError::when("listen for the pool"))?;
        let digests = Arc::clone(&self.digests);
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        listening.spawn(async move {
            while let Some(message) = told.next().await {
                let Ok(new) = PoolDigest::decode(message.payload) else { continue };
                let mut digests = digests.lock().unwrap_or_else(PoisonError::into_inner);
                digests.retain(|(known, at)| known.gateway != new.gateway && counts(*at));
                digests.push((new, Instant::now()));
            }
        });
        Ok(())
    }

    /// Whether every gateway that describes the pool reads entries with several events.
    pub fn read_shared(&self) -> bool {
        let digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        let mut recent = digests.iter().filter(|(_, at)| counts(*at)).peekable();
        recent.peek().is_some() && recent.all(|(digest, _)| digest.reads_shared)
    }

    /// Compares a worker of the pool with the pool.
    pub fn compare(&self, own: &WorkerState) -> Speed {
        let digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = digests.iter().filter(|(_, at)| counts(*at)).map(|(digest, _)| digest);
        // Of equal ones, the last is the newest.
        let Some(digest) = recent.max_by_key(|digest| digest.workers) else {
            return Speed::Unknown;
        };
        if digest.workers < FEWEST_WORKERS {
            return Speed::Unknown;
        }
        // The gateway may not have heard of the last calibration yet.
        if digest.leaving.contains(&own.worker) && differs(own, digest.calibration_ms) {
            Speed::Differs(digest.calibration_ms)
        } else {
            Speed::OfPool
        }
    }
}

/// Whether a digest still counts that arrived at this time.
fn counts(at: Instant) -> bool {
    at.elapsed() < DIGEST_COUNTS
}
