//! Reads the files again while the server runs.

use super::access::Access;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

/// How often the files are looked at. That costs a call of the kernel for each file.
const INTERVAL: Duration = Duration::from_secs(2);

/// Follows the files of `access` for ever: at SIGHUP, and when they change. Without files, SIGHUP
/// stays what it was.
pub(crate) async fn follow(access: Arc<Access>) {
    if !access.has_files() {
        return std::future::pending().await;
    }
    // Without the signal, changes are still noticed.
    let mut hangup = signal(SignalKind::hangup()).ok();
    let mut looks = interval(INTERVAL);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let asked = tokio::select! {
            _ = looks.tick() => false,
            asked = async {
                match &mut hangup {
                    Some(hangup) => hangup.recv().await.is_some(),
                    None => std::future::pending().await,
                }
            } => asked,
        };
        let access = Arc::clone(&access);
        // A panic ends this look alone.
        let _ = spawn_blocking(move || access.renew(asked)).await;
    }
}
