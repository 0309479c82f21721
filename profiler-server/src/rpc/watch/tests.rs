use super::*;
use crate::config::Quota;
use crate::runs::{LiveRuns, Submission};
use crate::store::Viewer;
use crate::telemetry::metrics::Metrics;
use crate::telemetry::run_record::Requester;
use futures::{FutureExt, StreamExt};
use profiler_core::Profiler;
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::stuck_pool;
use profiler_proto::v1::ErrorCode;
use tokio::time::timeout;

/// A run that waits for its sandbox forever, and its store.
async fn run() -> (Attachment, LiveRuns, Store) {
    let store = Store::in_memory().unwrap();
    let runs = LiveRuns::start(
        Profiler::new(stuck_pool(), None),
        store.clone(),
        Metrics::new("fake"),
        1,
        1,
        Quota::default(),
    );
    let draft = Draft::new("hello", b"int main() {}");
    let submission = Submission {
        message: Vec::new(),
        defaults: Vec::new(),
        #[cfg(feature = "fleet")]
        same_pool_as: String::new(),
        job: draft.try_into().unwrap(),
        digest: [0; 32],
        request_id: String::new(),
        on_disconnect: v1::OnDisconnect::Cancel,
        requester: Requester::named("test"),
    };
    (runs.submit(submission).await.unwrap(), runs, store)
}

#[tokio::test(start_paused = true)]
async fn watcher_that_does_not_read_is_disconnected_and_its_run_ends() {
    let (attachment, _runs, store) = run().await;
    let mut progress = attachment.progress.clone();
    let run_id = attachment.run_id.clone();
    let events = Watch::new(attachment, store.clone(), Deadline::default(), 0).into_stream();
    assert!(progress.wait_for(|now| matches!(now, Progress::Ended(_))).await.is_ok());
    assert_eq!(
        store.run(&run_id, &Viewer::Everyone).await.unwrap().unwrap().error_code(),
        ErrorCode::Cancelled
    );
    let last = events.collect::<Vec<_>>().await.pop().unwrap();
    assert_eq!(last, Err(CallError::SlowWatcher));
}

#[tokio::test(start_paused = true)]
async fn slow_watcher_is_not_disconnected() {
    let (attachment, _runs, store) = run().await;
    let mut events = Box::pin(Watch::new(attachment, store, Deadline::default(), 0).into_stream());
    for _ in 0..10 {
        assert!(events.next().await.unwrap().is_ok());
        sleep(SLOW_WATCHER_LIMIT * 9 / 10).await;
    }
}

/// The position is 0 from the beginning and published again. That often happens to a run that is
/// accepted while the run ahead of it ends.
#[tokio::test(start_paused = true)]
async fn position_that_changes_before_the_first_event_sends_no_heartbeat() {
    let (mut attachment, _runs, store) = run().await;
    let run_id = attachment.run_id.clone();
    let position = watch::Sender::new(1);
    let progress = watch::Sender::new(Progress::Stored(0));
    (attachment.queue_position, attachment.progress) = (position.subscribe(), progress.subscribe());
    position.send_replace(0);
    let mut watched = Watch::new(attachment, store.clone(), Deadline::default(), 0);
    assert!(
        timeout(HEARTBEAT_INTERVAL / 2, watched.next()).await.is_err(),
        "nothing has happened yet"
    );
    while store.run(&run_id, &Viewer::Everyone).await.unwrap().unwrap().last_sequence == 0 {
        sleep(HEARTBEAT_INTERVAL / 100).await;
    }
    progress.send_replace(Progress::Stored(1));
    let first = watched.next().await.unwrap().unwrap();
    assert!(matches!(first.kind, Some(Kind::Accepted(_))), "{first:?}");
    let second = watched.next().await.unwrap().unwrap();
    assert_eq!(second.kind, Some(Kind::Heartbeat(v1::Heartbeat { queue_position: 0 })));
}

/// Thousands of runs may wait, and each end of a run moves all of them.
#[tokio::test(start_paused = true)]
async fn only_positions_near_the_first_are_reported_at_once() {
    let (mut attachment, _runs, store) = run().await;
    let position = watch::Sender::new(1000);
    let progress = watch::Sender::new(Progress::Stored(1));
    (attachment.queue_position, attachment.progress) = (position.subscribe(), progress.subscribe());
    let mut watched = Watch::new(attachment, store, Deadline::default(), 1);
    position.send_replace(NEAR + 1);
    assert!(timeout(HEARTBEAT_INTERVAL / 2, watched.next()).await.is_err(), "it is far");
    position.send_replace(NEAR);
    let near = timeout(HEARTBEAT_INTERVAL / 2, watched.next()).await.unwrap().unwrap().unwrap();
    assert_eq!(near.kind, Some(Kind::Heartbeat(v1::Heartbeat { queue_position: NEAR })));
    position.send_replace(NEAR + 1);
    let later = watched.next().await.unwrap().unwrap();
    assert_eq!(later.kind, Some(Kind::Heartbeat(v1::Heartbeat { queue_position: NEAR + 1 })));
}

#[tokio::test(start_paused = true)]
async fn events_are_read_when_the_caller_has_room_for_them() {
    let watches = Watches::new(2);
    let mut rooms = Vec::new();
    while let Some(room) = watches.room("many", UNSENT_EVENTS_MIB).now_or_never() {
        rooms.push(room.unwrap());
    }
    for (caller, has_room) in [("many", false), ("few", true)] {
        let (attachment, _runs, store) = run().await;
        let mut progress = attachment.progress.clone();
        assert!(progress.wait_for(|now| !matches!(now, Progress::Stored(0))).await.is_ok());
        let place = watches.take(caller).unwrap();
        let cursor = Watch::new(attachment, store, Deadline::default(), 0);
        let mut events = Box::pin(cursor.with_place(place, Unsent::default()).into_stream());
        let first = timeout(HEARTBEAT_INTERVAL * 2, events.next()).await;
        assert_eq!(first.is_ok(), has_room, "{caller}");
        if !has_room {
            rooms.pop();
            assert!(events.next().await.unwrap().is_ok());
        }
    }
}

#[tokio::test]
async fn large_event_comes_alone() {
    let store = Store::in_memory().unwrap();
    let run = v1::Run { run_id: "a".into(), ..Default::default() };
    store.begin(run, "uid 7".into(), [0; 32]).await.unwrap();
    for (sequence, length) in [(1, 9), (2, 9), (3, PAGE_BYTES), (4, 9), (5, 9)] {
        let report = v1::ProfileReport { task_id: "x".repeat(length), ..Default::default() };
        let kind = Some(Kind::Finished(report));
        let event = v1::Event { run_id: "a".into(), sequence, kind, time: None };
        store.append([event].into()).await.unwrap();
    }
    let mut seen = 0;
    let mut pages = Vec::new();
    while seen < 5 {
        let page = store.page("a", seen, (PAGE_EVENTS, PAGE_BYTES)).await.unwrap();
        seen = page.last().unwrap().sequence;
        pages.push(page.len());
    }
    assert_eq!(pages, [2, 1, 2]);
}
