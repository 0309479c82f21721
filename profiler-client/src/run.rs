//! A live run.

use crate::error::Error;
use crate::event::Event;
use crate::watch::Watch;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{ProfileReport, SizeResult};
use tokio::runtime::Handle;

/// A live run.
///
/// Dropping a submitted run cancels it, unless its job has
/// [`Detach`](crate::v1::OnDisconnect::Detach). Inside tokio the cancellation is immediate.
/// Elsewhere the profiler ends the run after its grace period. Dropping an attached run leaves it
/// to its job's `on_disconnect`.
#[derive(Debug)]
pub struct Run {
    /// Boxed because it is large and runs are moved.
    watch: Box<Watch>,
    /// Whether dropping cancels the run.
    owned: bool,
}

impl Run {
    pub(crate) fn new(watch: Watch, owned: bool) -> Self {
        Self { watch: Box::new(watch), owned }
    }

    /// The run's id.
    pub fn id(&self) -> &str {
        self.watch.run_id()
    }

    /// Returns the next event: each once, in order; `None` after the last one. Resumes a stream
    /// that breaks. Dropping this future loses no event.
    pub async fn next(&mut self) -> Result<Option<Event>, Error> {
        self.watch.next().await
    }

    /// The sizes that [`next`](Self::next) has returned so far. A `restarted` event makes earlier
    /// sizes void, so it clears this list.
    pub fn sizes(&self) -> &[SizeResult] {
        self.watch.sizes()
    }

    /// Waits for the report. A run that ended early is [`Error::Sandbox`].
    pub async fn wait(mut self) -> Result<ProfileReport, Error> {
        while let Some(event) = self.next().await? {
            let ended = match event.kind {
                Kind::Finished(report) => Ok(report),
                Kind::Failed(error) => Err(Error::Sandbox(Box::new(error))),
                Kind::Accepted(_)
                | Kind::Started(_)
                | Kind::Restarted(_)
                | Kind::Compiled(_)
                | Kind::SizeMeasured(_)
                | Kind::Heartbeat(_) => continue,
            };
            // Dropping a stream before its end resets it. Messages that still arrive on many such
            // streams would end the connection. Nothing of interest follows the ending.
            let _ = self.next().await;
            return ended;
        }
        Err(Error::Incomplete("ending"))
    }

    /// Cancels the run. The last event, with the partial report, can still be read.
    pub async fn cancel(&self) -> Result<(), Error> {
        self.watch.connection().cancel(self.id()).await
    }

    /// Stops watching and leaves the run to its job's `on_disconnect`.
    /// [`Client::attach`](crate::Client::attach) takes the returned id.
    pub fn detach(mut self) -> String {
        self.owned = false;
        self.id().to_owned()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if !self.owned || self.watch.ended() {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            let (connection, id) = (self.watch.connection().clone(), self.id().to_owned());
            // If the profiler cannot be reached, it ends the run after its grace period.
            runtime.spawn(async move { connection.cancel(&id).await.ok() });
        }
    }
}
