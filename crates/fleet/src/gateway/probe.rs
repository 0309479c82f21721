//! The probe of the engine's disk: an engine that answers may still be unable to store anything.

use super::Gateway;
use crate::connection::ANSWER_TIMEOUT;
use crate::connection::engine::{Put, StreamName};
use crate::error::FleetError;
use crate::names;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// Interval between the writes of a gateway.
const PROBE_INTERVAL: Duration = Duration::from_secs(5);
/// Pause before a write that failed is tried again.
const SECOND_TRY: Duration = Duration::from_secs(1);

impl Gateway {
    /// Stores a message at an interval, for as long as the future is polled, and publishes whether
    /// the last one was stored. The stream keeps one message of each gateway.
    pub async fn probe_writes(&self, health: watch::Sender<Result<(), FleetError>>) {
        let (mut before, mut failures) = (None, 0);
        loop {
            let stored = self.probe(before).await;
            match stored {
                Ok(position) => (before, failures) = (Some(position), 0),
                // One slow write is no loss: the disk may be busy, or the engine elects a leader.
                Err(_) if failures == 0 => {
                    failures += 1;
                    sleep(SECOND_TRY).await;
                    continue;
                }
                Err(_) => {}
            }
            health.send_if_modified(|known| {
                let changed = known.is_ok() != stored.is_ok();
                *known = stored.map(drop);
                changed
            });
            sleep(PROBE_INTERVAL).await;
        }
    }

    /// Stores a message in the stream of logs, and deletes the one `before` it. Returns the
    /// position of the message.
    async fn probe(&self, before: Option<u64>) -> Result<u64, FleetError> {
        let doing = "store a message in the engine";
        let stored = self.fleet.engine.store(names::probe(&self.id), Put::default());
        let stored = timeout(ANSWER_TIMEOUT, stored).await.map_err(FleetError::when(doing))?;
        let stored = stored.map_err(FleetError::when(doing))?;
        if let Some(before) = before {
            // A message that stays costs a few bytes until the stream forgets it.
            let _ = self.fleet.remove(StreamName::Logs, before).await;
        }
        Ok(stored)
    }
}
