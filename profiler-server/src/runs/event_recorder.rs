//! The event recorder: stores every event of a run, and only then publishes the progress.

use crate::store::{Store, StoreHealth};
use futures::future;
use profiler_core::cancel::Canceller;
use profiler_core::limits::EVENT_QUEUE;
use profiler_proto::v1::{ErrorCode, Event, event::Kind};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};

/// Time that a run goes on while the store fails.
const STORE_OUTAGE_LIMIT: Duration = Duration::from_secs(5);
/// Pause before the recorder tries to store an event again.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// Progress of a run, for its watchers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The number of the last stored event. More events will follow.
    Stored(u64),
    /// The number of the last event of the run.
    Ended(u64),
    /// The server ends, and the run waits for the next server.
    Left,
    /// The store failed for [`STORE_OUTAGE_LIMIT`], so the run was cancelled. The run ends once its
    /// events can be stored.
    StoreFailing,
}

/// Stores every event of a run and reports the progress. If the store fails for
/// [`STORE_OUTAGE_LIMIT`], the run is cancelled, even while it waits. Its events are stored once
/// the store works again.
pub(super) async fn record_events(
    emitted: mpsc::Receiver<Event>,
    store: Store,
    canceller: Canceller,
    report: watch::Sender<Progress>,
) {
    let failing = async {
        until_outage(store.health()).await;
        canceller.cancel(ErrorCode::Internal);
        report.send_replace(Progress::StoreFailing);
        future::pending::<()>().await;
    };
    tokio::select! {
        () = store_events(emitted, &store, &report) => {}
        () = failing => {}
    }
}

async fn store_events(
    mut emitted: mpsc::Receiver<Event>,
    store: &Store,
    report: &watch::Sender<Progress>,
) {
    let mut events = Vec::new();
    // Events that came together are stored in one transaction.
    while emitted.recv_many(&mut events, EVENT_QUEUE).await > 0 {
        let together: Arc<[Event]> = events.drain(..).collect();
        while store.append(together.clone()).await.is_err() {
            sleep(RETRY_INTERVAL).await;
        }
        if let Some(last) = together.last() {
            let is_last = last.kind.as_ref().is_some_and(Kind::is_last);
            let progress = if is_last { Progress::Ended } else { Progress::Stored };
            report.send_replace(progress(last.sequence));
        }
    }
}

/// Returns when the store has failed for [`STORE_OUTAGE_LIMIT`] without interruption.
async fn until_outage(mut health: watch::Receiver<StoreHealth>) {
    loop {
        // A store whose owner is gone can store nothing.
        let is_gone = health.wait_for(Result::is_err).await.is_err();
        let recovered = health.wait_for(Result::is_ok);
        if is_gone || timeout(STORE_OUTAGE_LIMIT, recovered).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_core::cancel::cancel_signal;
    use profiler_core::report::Events;
    use profiler_proto::v1;
    use tokio::time::Instant;

    /// More events than fit into the pages that the database has already.
    const EVENTS: u64 = 250;

    #[tokio::test(start_paused = true)]
    async fn run_that_cannot_be_kept_is_stopped_and_kept_later() {
        let store = Store::in_memory().unwrap();
        let run = v1::Run { run_id: "a".into(), ..v1::Run::default() };
        store.begin(run, String::new(), [0; 32]).await.unwrap();
        store.fill(true).await;
        let (canceller, mut token) = cancel_signal();
        let (report, mut progress) = watch::channel(Progress::Stored(0));
        let (mut events, emitted) = Events::new("a");
        let recorded = tokio::spawn(record_events(emitted, store.clone(), canceller, report));
        let begin = Instant::now();
        for _ in 0..EVENTS {
            events.emit(Kind::Accepted(v1::Accepted { queue_position: 0 })).await;
        }
        assert_eq!(token.cancelled().await, ErrorCode::Internal);
        assert!(begin.elapsed() < 2 * STORE_OUTAGE_LIMIT, "{:?}", begin.elapsed());
        assert!(progress.wait_for(|now| *now == Progress::StoreFailing).await.is_ok());
        store.fill(false).await;
        drop(events);
        recorded.await.unwrap();
        assert_eq!(*progress.borrow(), Progress::Stored(EVENTS));
        let kept = store.events("a", 0, u32::MAX).await.unwrap();
        assert_eq!(kept.last().map(|event| event.sequence), Some(EVENTS));
    }
}
