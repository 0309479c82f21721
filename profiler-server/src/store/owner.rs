//! The task that owns the database.

use super::database::Database;
use super::fault::StoreHealth;
use super::retention::Retention;
use crate::telemetry::logging::TARGET;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

/// Interval between probes of a failing store.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// Interval between deletions of runs that are too old.
const RETENTION_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Work on the database. It returns the fault of the store if there was one.
pub(super) type Work = Box<dyn FnOnce(&mut Database) -> StoreHealth + Send>;

/// Owns the database until the last sender of `queue` is gone. A failing store becomes healthy only
/// through a probe larger than a report: a small event may still fit on a full disk.
pub(super) async fn own(
    mut database: Database,
    retention: Retention,
    mut queue: mpsc::Receiver<Work>,
    report: watch::Sender<StoreHealth>,
) {
    let mut probe_at = Instant::now();
    let mut aged = interval(RETENTION_INTERVAL);
    aged.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let is_failing = report.borrow().is_err();
        let (work, is_probe) = tokio::select! {
            biased;
            () = sleep_until(probe_at), if is_failing => {
                let probe: Work = Box::new(Database::probe);
                (Some(probe), true)
            }
            _ = aged.tick() => {
                let retain: Work = Box::new(move |database| database.retain(retention));
                (Some(retain), false)
            }
            work = queue.recv() => (work, false),
        };
        let Some(work) = work else { return };
        let health = if database.file.is_none() {
            // A database in memory waits for no disk. Without a thread of its own, a test that
            // simulates a fleet has the same history each time.
            work(&mut database)
        } else {
            let worked = spawn_blocking(move || {
                let health = work(&mut database);
                (database, health)
            });
            // Work that panicked has taken the database with it.
            let Ok((returned, health)) = worked.await else { return };
            database = returned;
            health
        };
        if is_probe || health.is_err() {
            probe_at = Instant::now() + PROBE_INTERVAL;
            publish(&report, health);
        }
    }
}

/// Logs and publishes the health if it has changed.
fn publish(report: &watch::Sender<StoreHealth>, health: StoreHealth) {
    report.send_if_modified(|published| {
        let changed = *published != health;
        match &health {
            Err(fault) if changed => tracing::error!(target: TARGET, %fault, "the store failed"),
            Ok(()) if changed => tracing::info!(target: TARGET, "the store works again"),
            _ => {}
        }
        *published = health;
        changed
    });
}
