//! The probe of the engine's disk: an engine that answers may still be unable to store anything.

use super::Gateway;
use crate::connection::ANSWER_TIMEOUT;
use crate::error::FleetError;
use crate::names;
use async_nats::jetstream::message::PublishMessage;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// Interval between the writes of a gateway.
const PROBE_INTERVAL: Duration = Duration::from_secs(5);

impl Gateway {
    /// Stores a message at an interval, for as long as the future is polled, and publishes whether
    /// the last one was stored. The stream keeps one message of each gateway.
    pub async fn probe_writes(&self, health: watch::Sender<Result<(), FleetError>>) {
        let mut before = None;
        loop {
            let stored = self.probe(before).await;
            if let Ok(position) = stored {
                before = Some(position);
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
        let message = PublishMessage::build();
        let stored = timeout(ANSWER_TIMEOUT, self.fleet.store(names::probe(&self.id), message));
        let stored = stored.await.map_err(FleetError::when(doing))?;
        let stored = stored.map_err(FleetError::when(doing))?;
        if let Some(before) = before {
            // A message that stays costs a few bytes until the stream forgets it.
            let _ = self.fleet.logs.delete_message(before).await;
        }
        Ok(stored.sequence)
    }
}
