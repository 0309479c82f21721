//! Commands of an operator on a folder, also while a server uses it.

use super::{OWNER, accepted, all, event, finished, large, measured, open, run, with};
use crate::store::database::{Database, FILE, Live};
use crate::store::{OpenError, Retention, StateFolder, Store, Viewer};
use profiler_proto::json;
use profiler_proto::v1::{self, RunState};
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

fn attend(folder: &Path) -> StateFolder {
    StateFolder::open(Some(folder.into())).unwrap()
}

/// A server's folder with an ended run `a` and a live run `b`.
async fn served() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await.unwrap();
    let store = with(store, "a", &[accepted(), measured(1), finished()]).await;
    (folder, with(store, "b", &[accepted()]).await)
}

#[tokio::test]
async fn folder_without_runs_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let refused = StateFolder::open(Some(folder.path().into())).unwrap_err();
    assert!(matches!(refused, OpenError::Absent(_)), "{refused}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn usage_adds_up_by_caller() {
    let (folder, store) = served().await;
    store
        .begin(v1::Run { caller: "other".into(), ..run("c", "") }, OWNER.into(), [0; 32])
        .await
        .unwrap();
    store.append(event("c", 1, large())).await.unwrap();
    let usage = attend(folder.path()).usage().unwrap();
    let callers: Vec<_> =
        usage.callers.iter().map(|it| (it.caller.as_str(), it.runs, it.events)).collect();
    assert_eq!(callers, [("other", 1, 1), ("test", 2, 4)]);
    assert!(usage.callers[0].bytes > 1 << 20, "{usage:?}");
    assert!(usage.database_bytes + usage.log_bytes > usage.callers[0].bytes, "{usage:?}");
}

#[tokio::test]
async fn pruning_deletes_what_it_says_and_gives_the_space_back() {
    let (folder, store) = served().await;
    for run_id in ["c", "d", "e"] {
        store.begin(run(run_id, ""), OWNER.into(), [0; 32]).await.unwrap();
        store.append(event(run_id, 1, large())).await.unwrap();
    }
    let (state, keep) = (attend(folder.path()), Retention::new(Some(1), None, None));
    let planned = state.prunable(keep).unwrap();
    assert_eq!((planned.runs, all(&store).await.len()), (3, 5));
    assert_eq!(state.prune(keep).unwrap(), planned);
    assert_eq!(all(&store).await, ["e", "b"], "the live run stays");
    let usage = state.usage().unwrap();
    assert!(usage.database_bytes < 2 << 20 && usage.log_bytes == 0, "{usage:?}");
    // The server goes on.
    store.append(event("b", 2, finished())).await.unwrap();
}

#[test]
fn folder_says_whether_it_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let (server, _) = Database::open(folder.path(), Live::WasInterrupted).unwrap();
    let state = attend(folder.path());
    assert!(state.is_served().unwrap());
    drop(server);
    assert!(!state.is_served().unwrap());
}

/// Number of runs that a server stores meanwhile. The work grows with its square: each of the backups
/// has all runs so far.
const RUNS: u32 = 150;

/// Every run that ended before the backup is whole in it, and no run is half there.
#[tokio::test(flavor = "multi_thread")]
async fn backup_under_load_restores() {
    let (folder, store) = served().await;
    let ended = AtomicU32::new(0);
    let load = async {
        for at in 0..RUNS {
            let run_id = format!("run {at:03}");
            store.begin(run(&run_id, ""), OWNER.into(), [0; 32]).await.unwrap();
            for (sequence, kind) in (1..).zip([accepted(), measured(at.into()), finished()]) {
                store.append(event(&run_id, sequence, kind)).await.unwrap();
            }
            ended.fetch_add(1, Ordering::SeqCst);
        }
    };
    let copies = async {
        let mut copies = Vec::new();
        while ended.load(Ordering::SeqCst) < RUNS {
            let before = ended.load(Ordering::SeqCst);
            let (from, to) = (folder.path().to_owned(), tempfile::tempdir().unwrap());
            let file = to.path().join(FILE);
            let back_up = move || attend(&from).back_up(&file);
            tokio::task::spawn_blocking(back_up).await.unwrap().unwrap();
            copies.push((before, to));
        }
        copies
    };
    let ((), copies) = tokio::join!(load, copies);
    assert!(copies.len() > 2, "the load was over too soon");
    for (before, to) in copies {
        let found = attend(to.path()).verify().unwrap();
        assert!(found.problems.is_empty(), "{found:?}");
        let restored = open(to.path()).await.unwrap();
        assert_eq!(restored.instance(), store.instance());
        let runs = restored.runs(&Viewer::Everyone, None, u32::MAX).await.unwrap();
        let finished = runs.iter().filter(|run| run.state() == RunState::Finished);
        assert!(finished.count() > before as usize, "{} of {before}", runs.len());
        for run in runs {
            let events = restored.events(&run.run_id, 0, u32::MAX).await.unwrap();
            assert_eq!(events.len() as u64, run.last_sequence, "{run:?}");
            assert!(run.ended_time.is_some(), "what was live was interrupted: {run:?}");
        }
    }
}

#[tokio::test]
async fn backup_overwrites_nothing() {
    let (folder, _store) = served().await;
    let to = folder.path().join("backup");
    fs::write(&to, "mine").unwrap();
    let refused = attend(folder.path()).back_up(&to).unwrap_err().to_string();
    assert!(refused.contains("exists"), "{refused}");
    assert_eq!(fs::read_to_string(&to).unwrap(), "mine");
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 5, "the database, its log and index, the lock, and the file");
}

#[tokio::test]
async fn whole_store_is_verified() {
    let (folder, _store) = served().await;
    let found = attend(folder.path()).verify().unwrap();
    assert_eq!((found.runs, found.events, found.problems.len()), (2, 4, 0), "{found:?}");
}

#[tokio::test]
async fn inconsistency_of_the_store_is_named() {
    for (wrong, problem) in [
        ("DELETE FROM events WHERE run_id = 'a' AND sequence = 2", "event 3 comes after event 1"),
        ("UPDATE events SET event = x'ff' WHERE sequence = 2", "event 2 is broken"),
        ("UPDATE runs SET bytes = bytes + 1 WHERE run_id = 'a'", "its row says 3 of"),
        ("UPDATE runs SET state = 4 WHERE run_id = 'a'", "its state and its last event differ"),
        ("UPDATE runs SET ended_ns = 1 WHERE run_id = 'b'", "its state and its last event differ"),
        (
            "UPDATE events SET event = (SELECT event FROM events WHERE run_id = 'b')
                WHERE run_id = 'a' AND sequence = 1",
            "event 1 is event 1 of run b",
        ),
        ("PRAGMA foreign_keys = OFF; DELETE FROM runs WHERE run_id = 'a'", "3 events belong to no"),
    ] {
        let (folder, store) = served().await;
        store.write(|connection| connection.execute_batch(wrong)).await.unwrap();
        let found = attend(folder.path()).verify().unwrap();
        assert!(found.problems.iter().any(|it| it.contains(problem)), "{wrong}: {found:?}");
    }
}

#[tokio::test]
async fn page_that_the_disk_damaged_is_found() {
    let (folder, store) = served().await;
    store.append(event("b", 2, large())).await.unwrap();
    drop(store);
    // Waits for the lock, so that nobody writes from here on.
    let path = folder.path().to_owned();
    let waited = tokio::task::spawn_blocking(move || {
        drop(Database::open(&path, Live::WasInterrupted).unwrap());
    });
    waited.await.unwrap();
    let mut file = fs::OpenOptions::new().write(true).open(folder.path().join(FILE)).unwrap();
    // Each page of a large event begins with the number of the next.
    file.seek(SeekFrom::Start(100 * 4096)).unwrap();
    file.write_all(&[0xff; 4]).unwrap();
    let found = attend(folder.path()).verify();
    assert!(found.is_err() || !found.as_ref().unwrap().problems.is_empty(), "{found:?}");
}

#[tokio::test]
async fn run_is_exported_as_lines() {
    let (folder, _store) = served().await;
    let (state, to) = (attend(folder.path()), folder.path().join("out"));
    assert_eq!(state.export(None, &to).unwrap(), 2);
    let text = fs::read_to_string(to.join("a.jsonl")).unwrap();
    let mut lines = text.lines();
    let run: v1::Run = json::parse(lines.next().unwrap()).unwrap();
    let events: Vec<v1::Event> = lines.map(|line| json::parse(line).unwrap()).collect();
    assert_eq!((run.run_id.as_str(), run.last_sequence, events.len()), ("a", 3, 3));
    assert_eq!(events[2].kind, Some(finished()));
    let unknown = state.export(Some("nobody"), &to).unwrap_err().to_string();
    assert!(unknown.contains("nobody"), "{unknown}");
}
