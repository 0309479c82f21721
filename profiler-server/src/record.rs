//! A run's events on their way into the store. Nobody is told of an event before it is kept.

use crate::store::Store;
use crate::wire;
use profiler_core::error::ErrorCode;
use profiler_core::event::Event;
use profiler_core::stop::Stopper;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep};

/// How long a run goes on although its events cannot be kept.
const STORE_LIMIT: Duration = Duration::from_secs(5);
/// How often keeping an event is tried again.
const RETRY: Duration = Duration::from_millis(200);

/// How far a run is, for those who watch it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// So many events are kept, and more will come.
    Stored(u64),
    /// This is the number of the last event.
    Ended(u64),
    /// For [`STORE_LIMIT`] nothing could be kept, so the run was stopped. It ends as such once its
    /// events can be kept.
    Failing,
}

/// Keeps every event of a run and says how far it is. A run whose events cannot be kept is stopped; what
/// it said until then is kept as soon as that is possible.
pub(crate) async fn record(
    mut said: mpsc::Receiver<Event>,
    raw_samples: bool,
    store: Store,
    stopper: Stopper,
    report: watch::Sender<Progress>,
) {
    while let Some(event) = said.recv().await {
        let kept = Arc::new(wire::event(&event, raw_samples));
        let begin = Instant::now();
        while store.append(kept.clone()).await.is_err() {
            if begin.elapsed() > STORE_LIMIT {
                stopper.stop(ErrorCode::Internal);
                report.send_replace(Progress::Failing);
            }
            sleep(RETRY).await;
        }
        let is_last = event.kind.is_last();
        let progress = if is_last { Progress::Ended } else { Progress::Stored };
        report.send_replace(progress(event.sequence));
    }
}
