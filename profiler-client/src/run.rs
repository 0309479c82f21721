//! A live run.

use crate::error::Error;
use crate::event::Event;
use crate::watch::Watch;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{ProfileReport, SizeResult};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::runtime::Handle;
use tokio_stream::Stream;

/// A live run.
///
/// Dropping a submitted run cancels it, unless its job has
/// [`Detach`](crate::v1::OnDisconnect::Detach). Inside a tokio runtime, the cancellation is
/// immediate. Elsewhere the profiler ends the run after its grace period. Dropping an attached run
/// leaves it to its job's `on_disconnect`.
///
/// A run is also a [`futures::Stream`](Stream) of its events, which ends after an error:
///
/// ```
/// use profiler_client::{Error, Event, Run};
/// use tokio_stream::StreamExt;
///
/// async fn events(run: Run) -> Result<Vec<Event>, Error> {
///     run.collect().await
/// }
/// ```
#[derive(Debug)]
pub struct Run {
    /// Boxed because it is large and runs are moved.
    watch: Box<Watch>,
    /// Whether dropping cancels the run.
    owned: bool,
    /// Whether the stream has ended with an error.
    failed: bool,
}

impl Run {
    pub(crate) fn new(watch: Watch, owned: bool) -> Self {
        Self { watch: Box::new(watch), owned, failed: false }
    }

    /// Returns the run's id.
    pub fn id(&self) -> &str {
        &self.watch.run_id
    }

    /// Returns the next event: each once, in order; `None` after the last one. Resumes a stream
    /// that breaks. Dropping this future loses no event.
    pub async fn next(&mut self) -> Result<Option<Event>, Error> {
        poll_fn(|cx| self.watch.poll_next(cx)).await
    }

    /// Returns the sizes that [`next`](Self::next) has returned so far. A `restarted` event makes
    /// earlier sizes void, so it clears this list.
    pub fn sizes(&self) -> &[SizeResult] {
        &self.watch.sizes
    }

    /// Waits for the report. If the run ended early, this returns [`Error::Sandbox`].
    pub async fn wait(mut self) -> Result<ProfileReport, Error> {
        while let Some(event) = self.next().await? {
            let ended = match event.kind {
                Kind::Finished(report) => Ok(report),
                Kind::Failed(error) => Err(Error::Sandbox(Box::new(error))),
                Kind::Accepted(_)
                | Kind::Started(_)
                | Kind::Restarted(_)
                | Kind::CoreAwaited(_)
                | Kind::Compiled(_)
                | Kind::SizeMeasured(_)
                | Kind::Heartbeat(_) => continue,
            };
            // Reads the end of the stream too. Dropping a stream earlier resets it, and messages
            // that still arrive on many reset streams would end the connection.
            let _ = self.next().await;
            return ended;
        }
        Err(Error::Incomplete("ending"))
    }

    /// Cancels the run. The last event, with the partial report, can still be read.
    pub async fn cancel(&self) -> Result<(), Error> {
        self.watch.connection.cancel(self.id()).await
    }

    /// Stops watching and leaves the run to its job's `on_disconnect`.
    /// [`Client::attach`](crate::Client::attach) takes the returned id.
    pub fn detach(mut self) -> String {
        self.owned = false;
        self.id().to_owned()
    }
}

/// Ends after the last event, and after an error. [`Run::next`] can still be called then.
impl Stream for Run {
    type Item = Result<Event, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.failed {
            return Poll::Ready(None);
        }
        let next = ready!(self.watch.poll_next(cx));
        self.failed = next.is_err();
        Poll::Ready(next.transpose())
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if !self.owned || self.watch.ended {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            let (connection, id) = (self.watch.connection.clone(), self.id().to_owned());
            // If the profiler cannot be reached, it ends the run after its grace period.
            runtime.spawn(async move { connection.cancel(&id).await.ok() });
        }
    }
}
