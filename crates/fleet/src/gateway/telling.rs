//! Digests of the pools, which a gateway tells their workers.

use super::Gateway;
use crate::messages::PoolDigest;
use crate::names;
use crate::roster::Roster;
use crate::roster::peers::DIGEST_INTERVAL;
use prost::Message;
use tokio::time::{MissedTickBehavior, interval};

impl Gateway {
    /// Tells the workers of each pool its digest at an interval, for as long as the future is
    /// polled. A gateway that may not have heard all workers tells none.
    pub async fn tell_pools(&self, roster: &Roster) {
        let mut due = interval(DIGEST_INTERVAL);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            due.tick().await;
            for (pool, digest) in roster.digests() {
                let digest = PoolDigest { gateway: self.id.clone(), ..digest }.encode_to_vec();
                // If this fails, the next digest follows soon.
                let _ = self.fleet.engine.publish(names::digests(&pool), digest.into()).await;
            }
        }
    }
}
