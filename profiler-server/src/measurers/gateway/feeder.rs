//! The feeder: stores every event of the fleet, and only then tells the owner.

#[cfg(test)]
mod seeds;
#[cfg(test)]
mod tests;

use super::message::Message;
use crate::store::{FollowFrom, Store};
use crate::telemetry::logging::TARGET;
use futures::StreamExt;
use profiler_fleet::{Fleet, FleetError, Gateway};
use profiler_proto::v1::{self, ErrorCode};
use profiler_wire as wire;
use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// Maximum number of events that are stored in one transaction.
const MAX_BATCH: usize = 64;
/// Maximum number of entries that are expected of a run.
const MAX_ENTRIES: u64 = 64;
/// Maximum number of entries between the first ones of two runs of a caller whose jobs were queued
/// in the other order: of the time in which a gateway waits for an answer.
const MAX_EARLIER: u64 = 10_000;
/// Pause before another attempt after the store failed.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// Follows the fleet from the last stored event on, for as long as the owner lives. While the store
/// fails, the feeder waits, and the engine keeps the events that come meanwhile. If the engine
/// loses its streams, the feeder makes them again, interrupts the runs that they had, and begins
/// anew.
pub(super) async fn feed(gateway: Gateway, store: Store, owner: mpsc::Sender<Message>) {
    let mut is_lost = false;
    loop {
        let (created, from) = loop {
            if let Some(begun) = begin(&gateway, &store, is_lost).await {
                break begun;
            }
            sleep(RETRY_INTERVAL).await;
        };
        let FollowFrom { position, interrupted } = from;
        if let Some(runs) = &interrupted {
            let runs = runs.len();
            tracing::error!(target: TARGET, runs, "the engine has lost the logs of these runs");
        }
        if let Some(runs) = interrupted.clone()
            && owner.send(Message::EngineFound(runs)).await.is_err()
        {
            return;
        }
        let interrupted = interrupted.unwrap_or_default();
        tokio::select! {
            biased;
            () = follow(gateway.fleet(), &store, &owner, position) => return,
            () = gateway.fleet().lost(created) => {}
            never = stop(&gateway, interrupted) => match never {},
        }
        is_lost = true;
        if owner.send(Message::EngineLost).await.is_err() {
            return;
        }
    }
}

/// Begins to follow the streams of the engine, and makes them if they are lost. Returns the time
/// at which the logs were made, and where to begin; `None` if the engine or the store fails.
async fn begin(gateway: &Gateway, store: &Store, is_lost: bool) -> Option<(i64, FollowFrom)> {
    let (created, last) = match gateway.fleet().logs_state().await {
        Ok(state) if !is_lost => state,
        _ => {
            gateway.make_streams().await.ok()?;
            gateway.fleet().logs_state().await.ok()?
        }
    };
    let mut from = store.follow_from(created, last, is_lost).await.ok()?;
    if from.position == 0 && from.interrupted.is_none() {
        from.position = beginning(gateway.fleet(), store, last).await.ok()?;
    }
    Some((created, from))
}

/// Returns the position after which a gateway without any run begins to follow logs that end at
/// `last`: before every live run, and before as many ended runs as the store keeps. It would read
/// older events only to delete them.
async fn beginning(fleet: &Fleet, store: &Store, last: u64) -> Result<u64, FleetError> {
    let Some(kept) = store.kept_runs() else { return Ok(0) };
    let ended = last.saturating_sub(u64::from(kept) * MAX_ENTRIES);
    let live = fleet.oldest_live().await?.unwrap_or(last);
    Ok(ended.min(live.saturating_sub(MAX_EARLIER)))
}

/// Returns when the owner is gone.
async fn follow(fleet: &Fleet, store: &Store, owner: &mpsc::Sender<Message>, position: u64) {
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

/// Stops workers that still measure interrupted runs, and ends these runs in a restored log.
async fn stop(gateway: &Gateway, interrupted: Vec<String>) -> Infallible {
    for run_id in interrupted {
        let why = "the engine lost the log of the run";
        let code = ErrorCode::Interrupted;
        let failed = || wire::ended_early(&v1::Run::default(), Vec::new(), code, why);
        // A worker that is not told stops when it next writes to the log.
        let _ = gateway.cancel(&run_id, 0, code, failed).await;
    }
    pending().await
}
