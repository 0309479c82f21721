//! A process of a fleet, which can be killed and frozen.

use profiler_fleet::simulated::Link;
use profiler_fleet::{Fleet, FleetError, wait_for_engine};
use std::future::ready;
use std::pin::pin;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A process that lives until it is dropped.
pub(crate) struct Process {
    pub(crate) link: Link,
    frozen: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Process {
    /// Begins `work`, which uses the connection `link`. The work hears when it is frozen.
    pub(crate) fn begin<F: Future<Output = ()> + Send + 'static>(
        link: Link,
        work: impl FnOnce(watch::Receiver<bool>) -> F,
    ) -> Self {
        let (frozen, hears) = watch::channel(false);
        let task = tokio::spawn(freezable(work(hears.clone()), hears));
        Self { link, frozen, task }
    }

    pub(crate) fn freeze(&self, is_frozen: bool) {
        self.frozen.send_replace(is_frozen);
    }

    /// Whether it has ended by itself.
    pub(crate) fn has_ended(&self) -> bool {
        self.task.is_finished()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.task.abort();
        // What it sent is lost, or arrives without it.
        self.link.cut(true);
    }
}

/// Joins the engine as every process does, however long it takes. `None` ends the process.
pub(crate) async fn join(attempt: impl Fn() -> Result<Fleet, FleetError>) -> Option<Fleet> {
    match attempt() {
        Ok(fleet) => Some(fleet),
        Err(error) => wait_for_engine(error, |_| {}, || ready(attempt())).await.ok(),
    }
}

/// Polls the work while it is not frozen.
async fn freezable(work: impl Future<Output = ()>, mut frozen: watch::Receiver<bool>) {
    let mut work = pin!(work);
    loop {
        tokio::select! {
            biased;
            _ = async { frozen.wait_for(|frozen| *frozen).await.is_ok() } => {}
            () = &mut work => return,
        }
        if frozen.wait_for(|frozen| !frozen).await.is_err() {
            return;
        }
    }
}
