//! The feeder: keeps every event of the fleet, and only then tells the owner.

use super::input::Input;
use crate::store::{Adopted, Batch, Change, Store};
use futures::StreamExt;
use profiler_fleet::{Fleet, Followed};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// Maximum number of events that are kept in one transaction.
const MAX_BATCH: usize = 64;
/// Pause before a batch is stored again.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// Follows the fleet from where the store ends, for as long as the owner lives. A store that fails
/// makes it wait, and the engine keeps what comes meanwhile.
pub(super) async fn feed(fleet: Fleet, store: Store, owner: mpsc::Sender<Input>) {
    let position = loop {
        match store.followed().await {
            Ok(position) => break position,
            Err(_) => sleep(RETRY_INTERVAL).await,
        }
    };
    let mut chunks = fleet.follow(position).ready_chunks(MAX_BATCH);
    while let Some(followed) = chunks.next().await {
        let batch = Arc::new(batch(&followed));
        while store.follow(Arc::clone(&batch)).await.is_err() {
            sleep(RETRY_INTERVAL).await;
        }
        if owner.send(Input::Kept(followed)).await.is_err() {
            return;
        }
    }
}

fn batch(followed: &[Followed]) -> Batch {
    let changes = followed.iter().flat_map(|followed| {
        let adopted = followed.origin.as_ref().and_then(|origin| {
            Some(Change::Adopted(Box::new(Adopted {
                run: origin.run.clone()?,
                owner: origin.owner.clone(),
                // Only a broken message has another length, and then no job has this digest.
                job: origin.digest.as_slice().try_into().unwrap_or_default(),
            })))
        });
        let event = followed.event.clone();
        let change = if followed.is_deletion {
            Change::Deleted(event.run_id)
        } else {
            Change::Event(Box::new(event))
        };
        adopted.into_iter().chain([change])
    });
    let position = followed.last().map_or(0, |followed| followed.position);
    Batch { changes: changes.collect(), position }
}
