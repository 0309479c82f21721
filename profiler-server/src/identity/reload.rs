//! Renewal of the files while the server runs.

use super::access::Access;
use crate::config::Config;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

/// Interval between checks of the files. Each check costs a system call for each file.
const INTERVAL: Duration = Duration::from_secs(2);

/// Renews `access` from its files forever: whenever `settings` are published, as after every
/// SIGHUP, and whenever the files change.
pub(crate) async fn follow(access: Arc<Access>, mut settings: watch::Receiver<Config>) {
    if !access.has_files() {
        return std::future::pending().await;
    }
    let mut looks = interval(INTERVAL);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let asked = tokio::select! {
            _ = looks.tick() => false,
            // Without a publisher, changes of the files are still noticed.
            Ok(()) = settings.changed() => true,
        };
        let access = Arc::clone(&access);
        // A panic ends only this check.
        let _ = spawn_blocking(move || access.renew(asked)).await;
    }
}
