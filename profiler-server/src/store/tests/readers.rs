//! Reads beside the owner of the database.

use super::{accepted, event, finished, measured, open, with};
use crate::store::handle::MAX_LOG_BYTES;
use crate::store::{Store, StoreFault, Viewer};
use futures::FutureExt;
use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Longest time that something may take which waits for nothing.
const PATIENCE: Duration = Duration::from_secs(5);

/// A read of `store`. It ends when the sender is dropped.
async fn long_read(store: &Store) -> (JoinHandle<Result<i64, StoreFault>>, mpsc::Sender<()>) {
    let store = store.clone();
    let (end, ended) = mpsc::channel();
    let (tell, told) = oneshot::channel();
    let read = tokio::spawn(async move {
        let work = move |connection: &mut rusqlite::Connection| {
            let transaction = connection.transaction()?;
            let _ = tell.send(());
            let runs = transaction.query_row("SELECT count(*) FROM runs", [], |row| row.get(0));
            let _ = ended.recv();
            runs
        };
        store.look_up(work).await
    });
    told.await.unwrap();
    (read, end)
}

async fn live(folder: &Path) -> Store {
    with(open(folder).await.unwrap(), "a", &[accepted()]).await
}

#[tokio::test]
async fn nobody_waits_for_the_reads_of_another_caller() {
    let folder = tempfile::tempdir().unwrap();
    let store = live(folder.path()).await;
    let many = store.read_by("many");
    let (read, end) = long_read(&many).await;
    let mut next = Box::pin(many.run("a", &Viewer::Everyone));
    assert!((&mut next).now_or_never().is_none(), "a caller reads one thing at a time");
    let written = timeout(PATIENCE, store.append(event("a", 2, measured(1)))).await;
    assert_eq!(written.expect("a write waits for a read"), Ok(()));
    let few = store.read_by("few");
    let events = timeout(PATIENCE, few.events("a", 0, 9)).await.expect("it is another's turn");
    assert_eq!(events.unwrap().len(), 2, "what is written can be read");
    drop(end);
    assert_eq!(read.await.unwrap(), Ok(1));
    assert_eq!(next.await.unwrap().unwrap().last_sequence, 2);
}

#[tokio::test]
async fn reader_cannot_write() {
    let folder = tempfile::tempdir().unwrap();
    let store = live(folder.path()).await;
    let refused = store.look_up(|connection| connection.execute("DELETE FROM runs", [])).await;
    assert!(refused.unwrap_err().to_string().contains("readonly"));
    assert!(store.health().borrow().is_ok());
}

#[tokio::test]
async fn deletion_waits_for_reads_under_which_the_log_would_keep_its_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let store = live(folder.path()).await;
    store.append(event("a", 2, finished())).await.unwrap();
    let (read, end) = long_read(&store).await;
    let mut deletion = Box::pin(store.delete("a", &Viewer::Everyone));
    assert!((&mut deletion).now_or_never().is_none());
    drop(end);
    assert_eq!(timeout(PATIENCE, deletion).await.unwrap(), Ok(true));
    assert_eq!(read.await.unwrap(), Ok(1));
    assert_eq!(fs::metadata(folder.path().join("runs.sqlite3-wal")).unwrap().len(), 0);
}

#[tokio::test]
async fn log_does_not_grow_without_end_under_readers() {
    let folder = tempfile::tempdir().unwrap();
    let store = live(folder.path()).await;
    let path = folder.path().join("runs.sqlite3-wal");
    let log = fs::OpenOptions::new().write(true).open(&path).unwrap();
    log.set_len(MAX_LOG_BYTES + 1).unwrap();
    let (_read, end) = long_read(&store).await;
    let mut written = Box::pin(store.append(event("a", 2, measured(1))));
    assert!((&mut written).now_or_never().is_none());
    drop(end);
    assert_eq!(timeout(PATIENCE, written).await.unwrap(), Ok(()));
    assert!(fs::metadata(&path).unwrap().len() < MAX_LOG_BYTES);
}
