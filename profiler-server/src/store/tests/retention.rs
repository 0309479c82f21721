//! Retention: the runs that are removed, and when.

use super::{OWNER, accepted, all, event, finished, in_memory, run, with};
use crate::store::retention::Retention;
use crate::store::{Store, run_rows};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use std::time::{Duration, SystemTime};

async fn begin(store: &Store, run_id: &'static str, retention: Retention) {
    let begun = store.write(move |connection| {
        run_rows::insert(connection, &run(run_id, ""), OWNER, &[0; 32], retention, None)
    });
    begun.await.unwrap();
}

#[tokio::test]
async fn oldest_ended_runs_go_first() {
    let store = with(in_memory(&[finished()]).await, "b", &[finished()]).await;
    begin(&store, "c", Retention { runs: Some(2), ..Retention::default() }).await;
    assert_eq!(all(&store).await, ["c", "b"]);
    assert!(store.events("a", 0, 10).await.unwrap().is_empty(), "its events go with it");
}

#[tokio::test]
async fn live_runs_stay_whatever_their_age() {
    let store = with(in_memory(&[accepted()]).await, "b", &[finished()]).await;
    begin(&store, "c", Retention { runs: Some(1), ..Retention::default() }).await;
    assert_eq!(all(&store).await, ["c", "a"]);
}

#[tokio::test]
async fn runs_go_when_their_bytes_are_too_many() {
    let large = Kind::Finished(v1::ProfileReport {
        task_id: "x".repeat(1000),
        ..v1::ProfileReport::default()
    });
    let large = std::slice::from_ref(&large);
    let store = with(in_memory(large).await, "b", large).await;
    begin(&store, "c", Retention { bytes: Some(1500), ..Retention::default() }).await;
    assert_eq!(all(&store).await, ["c", "b"]);
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Ends a run, with an end that was `ago` before now.
async fn end(store: &Store, run_id: &str, ago: Duration) {
    let mut events = event(run_id, 1, finished()).to_vec();
    events[0].time = Some((SystemTime::now() - ago).into());
    store.append(events.into()).await.unwrap();
}

#[tokio::test]
async fn runs_that_ended_long_ago_go_and_live_ones_stay() {
    let store = with(Store::in_memory().unwrap(), "old", &[]).await;
    let store = with(with(store, "young", &[]).await, "live", &[accepted()]).await;
    end(&store, "old", 3 * DAY).await;
    end(&store, "young", DAY).await;
    begin(&store, "new", Retention::new(None, None, Some(2))).await;
    assert_eq!(all(&store).await, ["young", "new", "live"]);
}

#[tokio::test(start_paused = true)]
async fn runs_go_by_themselves_when_they_are_too_old() {
    let folder = tempfile::tempdir().unwrap();
    let keep = Retention::new(None, None, Some(2));
    let store = Store::open(Some(folder.path().into()), keep).await.unwrap();
    let store = with(store, "old", &[]).await;
    end(&store, "old", 3 * DAY).await;
    assert_eq!(all(&store).await, ["old"]);
    tokio::time::sleep(Duration::from_secs(60 * 60)).await;
    // Reads do not wait for the deletion.
    store.answered().await.unwrap();
    assert!(all(&store).await.is_empty());
}
