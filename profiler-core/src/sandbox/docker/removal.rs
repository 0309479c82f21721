//! Removes containers from the daemon: at once, or as soon as the daemon answers again.

use super::image::NOT_FOUND;
use bollard::errors::Error;
use bollard::query_parameters::RemoveContainerOptionsBuilder;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of containers to remember; the next start sweeps any others.
const MAX_LEFT: usize = 1024;

/// A handle on the task that retries failed removals. The task ends with its last handle.
#[derive(Clone)]
pub(super) struct Remover {
    daemon: bollard::Docker,
    left: mpsc::Sender<String>,
}

impl Remover {
    /// Starts the task.
    pub(super) fn new(daemon: bollard::Docker) -> Self {
        let (left, found) = mpsc::channel(MAX_LEFT);
        tokio::spawn(keep_trying(daemon.clone(), found));
        Self { daemon, left }
    }

    /// Removes a container with all that runs in it. If that fails, the task tries again every
    /// second.
    pub(super) async fn remove(&self, name: String) {
        if let Err(error) = remove(&self.daemon, &name).await {
            tracing::warn!(target: "Profiler", %error, %name, "a container is left for now");
            // If the queue is full, the next start's sweep removes the container.
            let _ = self.left.try_send(name);
        }
    }
}

async fn keep_trying(daemon: bollard::Docker, mut found: mpsc::Receiver<String>) {
    let mut left = BTreeSet::new();
    let mut again = interval(RETRY_INTERVAL);
    again.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            name = found.recv() => match name {
                Some(name) if left.len() < MAX_LEFT => drop(left.insert(name)),
                Some(_) => {}
                None => return,
            },
            _ = again.tick(), if !left.is_empty() => left = still_left(&daemon, left).await,
        }
    }
}

/// Tries to remove each container once, and returns those that are still there. If the daemon stops
/// answering, the rest are not tried.
async fn still_left(daemon: &bollard::Docker, left: BTreeSet<String>) -> BTreeSet<String> {
    let mut stay = BTreeSet::new();
    let mut answers = true;
    for name in left {
        let removed = if answers { Some(remove(daemon, &name).await) } else { None };
        answers = matches!(removed, Some(Ok(()) | Err(Error::DockerResponseServerError { .. })));
        if !matches!(removed, Some(Ok(()))) {
            stay.insert(name);
        }
    }
    stay
}

/// Removes a container with all that runs in it. A container that is already gone is no error.
async fn remove(daemon: &bollard::Docker, name: &str) -> Result<(), Error> {
    let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
    match daemon.remove_container(name, Some(options)).await {
        Err(Error::DockerResponseServerError { status_code: NOT_FOUND, .. }) => Ok(()),
        removed => removed,
    }
}
