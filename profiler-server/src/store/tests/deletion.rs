//! Remains of a deleted run.

use super::{OWNER, accepted, event, finished, measured, open, run, with};
use crate::store::{Retention, StateFolder, Store, Viewer};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self};
use std::fs;
use std::path::Path;

/// A text of a program that its author wants back.
const SECRET: &str = "the-secret-of-the-source";

/// The files of the folder that contain the text.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    files
        .filter(|file| {
            let bytes = fs::read(file.path()).unwrap();
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        })
        .map(|file| file.file_name().into_string().unwrap())
        .collect()
}

/// A report that has the text in many pages of the database.
fn revealing() -> Kind {
    Kind::Finished(v1::ProfileReport { task_id: SECRET.repeat(10_000), ..Default::default() })
}

async fn with_secret(folder: &Path) -> Store {
    let store = open(folder).await.unwrap();
    let named = v1::Run { task_id: SECRET.into(), ..run("a", SECRET) };
    store.begin(named, OWNER.into(), [7; 32]).await.unwrap();
    store.append(event("a", 1, accepted())).await.unwrap();
    store.append(event("a", 2, revealing())).await.unwrap();
    with(store, "b", &[accepted(), measured(1), finished()]).await
}

#[tokio::test]
async fn text_of_a_deleted_run_is_in_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_secret(folder.path()).await;
    assert!(!files_with(folder.path(), SECRET).is_empty());
    assert!(store.delete("a", &Viewer::Everyone).await.unwrap());
    assert!(files_with(folder.path(), SECRET).is_empty());
    assert_eq!(store.events("b", 0, 10).await.unwrap().len(), 3);
}

#[tokio::test]
async fn text_is_gone_from_pages_that_were_written_back_too() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_secret(folder.path()).await;
    // Deleting another run writes the write-ahead log back into the database.
    assert!(store.delete("b", &Viewer::Everyone).await.unwrap());
    assert_eq!(files_with(folder.path(), SECRET), ["runs.sqlite3"]);
    assert!(store.delete("a", &Viewer::Everyone).await.unwrap());
    assert!(files_with(folder.path(), SECRET).is_empty());
}

#[tokio::test]
async fn text_of_a_pruned_run_is_in_no_file_of_a_live_server() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_secret(folder.path()).await;
    let state = StateFolder::open(Some(folder.path().into())).unwrap();
    assert_eq!(state.prune(Retention::new(Some(1), None, None)).unwrap().runs, 1);
    assert!(files_with(folder.path(), SECRET).is_empty());
    assert_eq!(store.events("b", 0, 10).await.unwrap().len(), 3);
}

#[tokio::test]
async fn unended_run_is_not_deleted() {
    let store = with(Store::in_memory().unwrap(), "live", &[accepted()]).await;
    assert!(!store.delete("live", &Viewer::Everyone).await.unwrap());
    assert!(!store.delete("nobody", &Viewer::Everyone).await.unwrap());
    assert_eq!(store.events("live", 0, 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn request_id_of_a_deleted_run_is_free() {
    let store = Store::in_memory().unwrap();
    store.begin(run("a", "mine"), OWNER.into(), [9; 32]).await.unwrap();
    store.append(event("a", 1, finished())).await.unwrap();
    assert!(store.delete("a", &Viewer::Everyone).await.unwrap());
    assert_eq!(store.find_request(OWNER, "mine").await.unwrap(), None);
    store.begin(run("b", "mine"), OWNER.into(), [1; 32]).await.unwrap();
}
