//! The feeder: stores every event of the fleet, and only then tells the owner.

use super::message::Message;
use crate::store::Store;
use futures::StreamExt;
use profiler_fleet::Fleet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// Maximum number of events that are stored in one transaction.
const MAX_BATCH: usize = 64;
/// Pause before another attempt after the store failed.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// Follows the fleet from the last stored event on, for as long as the owner lives. While the store
/// fails, the feeder waits, and the engine keeps the events that come meanwhile.
pub(super) async fn feed(fleet: Fleet, store: Store, owner: mpsc::Sender<Message>) {
    let position = loop {
        match store.followed().await {
            Ok(position) => break position,
            Err(_) => sleep(RETRY_INTERVAL).await,
        }
    };
    let mut chunks = fleet.follow(position).ready_chunks(MAX_BATCH);
    while let Some(followed) = chunks.next().await {
        let followed = Arc::new(followed);
        while store.follow(Arc::clone(&followed)).await.is_err() {
            sleep(RETRY_INTERVAL).await;
        }
        if owner.send(Message::Kept(Arc::unwrap_or_clone(followed))).await.is_err() {
            return;
        }
    }
}
