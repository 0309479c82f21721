//! A run's events on their way into the store. Nobody is told of an event before it is kept.

use crate::store::{Health, Store};
use crate::wire;
use futures::future;
use profiler_core::cancel::Canceller;
use profiler_core::error::ErrorCode;
use profiler_core::limits::EVENT_QUEUE;
use profiler_core::report::Event;
use profiler_proto::v1;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};

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

/// Keeps every event of a run and says how far it is. When runs cannot be kept for [`STORE_LIMIT`], this
/// one is stopped, be it under way or waiting; what it said until then is kept once that is possible.
pub(crate) async fn record(
    said: mpsc::Receiver<Event>,
    raw_samples: bool,
    store: Store,
    stopper: Canceller,
    report: watch::Sender<Progress>,
) {
    let failing = async {
        fails(store.health()).await;
        stopper.cancel(ErrorCode::Internal);
        report.send_replace(Progress::Failing);
        future::pending::<()>().await;
    };
    tokio::select! {
        () = keep(said, raw_samples, &store, &report) => {}
        () = failing => {}
    }
}

async fn keep(
    mut said: mpsc::Receiver<Event>,
    raw_samples: bool,
    store: &Store,
    report: &watch::Sender<Progress>,
) {
    let mut events = Vec::new();
    // Those that came at once are kept at once.
    while said.recv_many(&mut events, EVENT_QUEUE).await > 0 {
        let wired = events.iter().map(|event| wire::event(event, raw_samples));
        let kept: Arc<[v1::Event]> = wired.collect();
        while store.append(kept.clone()).await.is_err() {
            sleep(RETRY).await;
        }
        if let Some(last) = events.drain(..).next_back() {
            let progress = if last.kind.is_last() { Progress::Ended } else { Progress::Stored };
            report.send_replace(progress(last.sequence));
        }
    }
}

/// Returns when the store has failed for [`STORE_LIMIT`] without a break.
async fn fails(mut health: watch::Receiver<Health>) {
    loop {
        // A store that is gone can keep nothing.
        let failed = health.wait_for(Result::is_err).await.is_err();
        if failed || timeout(STORE_LIMIT, health.wait_for(Result::is_ok)).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_core::cancel::cancel_signal;
    use profiler_core::report::{EventKind, Events};
    use tokio::time::Instant;

    /// More than there is room for in what the database takes up already.
    const EVENTS: u64 = 250;

    #[tokio::test(start_paused = true)]
    async fn a_run_that_cannot_be_kept_is_stopped_and_kept_later() {
        let store = Store::in_memory().unwrap();
        let run = v1::Run { run_id: "a".into(), ..v1::Run::default() };
        store.begin(run, [0; 32]).await.unwrap();
        store.fill(true).await;
        let (stopper, mut stop) = cancel_signal();
        let (report, mut progress) = watch::channel(Progress::Stored(0));
        let (mut events, said) = Events::new("a");
        let recorded = tokio::spawn(record(said, false, store.clone(), stopper, report));
        let begin = Instant::now();
        for _ in 0..EVENTS {
            events.emit(EventKind::Accepted { queue_position: 0 }).await;
        }
        assert_eq!(stop.cancelled().await, ErrorCode::Internal);
        assert!(begin.elapsed() < 2 * STORE_LIMIT, "{:?}", begin.elapsed());
        assert!(progress.wait_for(|now| *now == Progress::Failing).await.is_ok());
        store.fill(false).await;
        drop(events);
        recorded.await.unwrap();
        assert_eq!(*progress.borrow(), Progress::Stored(EVENTS));
        let kept = store.events("a", 0, u32::MAX).await.unwrap();
        assert_eq!(kept.last().map(|event| event.sequence), Some(EVENTS));
    }
}
