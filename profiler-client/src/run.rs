//! A run under way.

use crate::watch::Watch;
use crate::{Error, Event};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{ProfileReport, SizeResult};
use tokio::runtime::Handle;

/// A run under way.
///
/// Dropping the run of a submission ends it, unless its job said
/// [`Detach`](crate::v1::OnDisconnect::Detach): within tokio at once, elsewhere when the profiler
/// has waited for its caller long enough. Dropping a run that was attached to leaves it to its
/// job's `on_disconnect`.
#[derive(Debug)]
pub struct Run {
    /// Boxed, for it is large and a run is handed around.
    watch: Box<Watch>,
    /// Whether dropping it ends it.
    owned: bool,
}

impl Run {
    pub(crate) fn new(watch: Watch, owned: bool) -> Self {
        Self { watch: Box::new(watch), owned }
    }

    /// The run's name.
    pub fn id(&self) -> &str {
        self.watch.run_id()
    }

    /// The next thing that happens, each once and in order; `None` after the last. A stream that
    /// breaks is taken up again meanwhile. What is dropped while it waits loses nothing.
    pub async fn next(&mut self) -> Result<Option<Event>, Error> {
        self.watch.next().await
    }

    /// The sizes that [`next`](Self::next) has returned so far. A `restarted` event makes the sizes
    /// before it void, so they are dropped.
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
            // A stream that is dropped before its end is reset, and what still arrives on many such
            // streams ends the connection. What comes behind the ending says nothing new.
            let _ = self.next().await;
            return ended;
        }
        Err(Error::Incomplete("ending"))
    }

    /// Ends the run. Its last event, with what was measured until then, is still to be read.
    pub async fn cancel(&self) -> Result<(), Error> {
        self.watch.client().cancel(self.id()).await
    }

    /// Stops watching and leaves the run to its job's `on_disconnect`. Its name is what
    /// [`Client::attach`](crate::Client::attach) takes.
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
            let (client, id) = (self.watch.client().clone(), self.id().to_owned());
            // A run that cannot be reached ends when its profiler has waited long enough.
            runtime.spawn(async move { client.cancel(&id).await.ok() });
        }
    }
}
