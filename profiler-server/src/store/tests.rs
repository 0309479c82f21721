mod deletion;
mod maintenance;
mod readers;
mod retention;
mod upgrade;

use super::retention::Retention;
use super::{OpenError, Store, Viewer};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, ErrorCode};
use rusqlite::Connection;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Owner of the runs.
const OWNER: &str = "uid 7";

fn run(run_id: &str, request_id: &str) -> v1::Run {
    v1::Run {
        run_id: run_id.into(),
        request_id: request_id.into(),
        caller: "test".into(),
        task_id: "hello".into(),
        iteration: 3,
        state: v1::RunState::Queued.into(),
        accepted_time: Some(SystemTime::now().into()),
        ..v1::Run::default()
    }
}

fn event(run_id: &str, sequence: u64, kind: Kind) -> Arc<[v1::Event]> {
    let time = Some(SystemTime::now().into());
    [v1::Event { run_id: run_id.into(), sequence, time, kind: Some(kind) }].into()
}

fn accepted() -> Kind {
    Kind::Accepted(v1::Accepted { queue_position: 0 })
}

fn measured(size: u64) -> Kind {
    let result = v1::SizeResult { size, runtime_ms: Some(size as f64), ..Default::default() };
    Kind::SizeMeasured(result)
}

fn finished() -> Kind {
    Kind::Finished(v1::ProfileReport::default())
}

/// A store with one run that has the events `kinds`.
async fn with(store: Store, run_id: &str, kinds: &[Kind]) -> Store {
    store.begin(run(run_id, ""), OWNER.into(), [7; 32]).await.unwrap();
    for (sequence, kind) in (1..).zip(kinds) {
        store.append(event(run_id, sequence, kind.clone())).await.unwrap();
    }
    store
}

/// The store in a folder, where every run stays.
async fn open(folder: &Path) -> Result<Store, OpenError> {
    Store::open(Some(folder.into()), Retention::default()).await
}

async fn in_memory(kinds: &[Kind]) -> Store {
    with(Store::in_memory().unwrap(), "a", kinds).await
}

async fn all(store: &Store) -> Vec<String> {
    store
        .runs(&Viewer::Everyone, None, 100)
        .await
        .unwrap()
        .into_iter()
        .map(|run| run.run_id)
        .collect()
}

#[tokio::test]
async fn kept_events_are_read_again() {
    let store = in_memory(&[accepted(), measured(5)]).await;
    let kinds: Vec<_> = store.events("a", 0, 10).await.unwrap();
    assert_eq!(
        kinds.into_iter().map(|e| e.kind.unwrap()).collect::<Vec<_>>(),
        [accepted(), measured(5)]
    );
}

#[tokio::test]
async fn events_are_read_after_a_number_and_in_pages() {
    let store = in_memory(&[accepted(), measured(1), measured(2), measured(3)]).await;
    let page = store.events("a", 1, 2).await.unwrap();
    assert_eq!(page.iter().map(|event| event.sequence).collect::<Vec<_>>(), [2, 3]);
}

#[tokio::test]
async fn event_that_is_kept_already_is_kept_once() {
    let store = in_memory(&[accepted()]).await;
    store.append(event("a", 1, accepted())).await.unwrap();
    assert_eq!(store.events("a", 0, 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn run_says_how_far_it_is() {
    let store = in_memory(&[accepted()]).await;
    let state = async || store.run("a", &Viewer::Everyone).await.unwrap().unwrap().state();
    assert_eq!(state().await, v1::RunState::Queued);
    store.start_run("a").await.unwrap();
    assert_eq!(state().await, v1::RunState::Running);
    store.append(event("a", 2, finished())).await.unwrap();
    assert_eq!(state().await, v1::RunState::Finished);
}

#[tokio::test]
async fn run_that_failed_says_by_which_code() {
    let error = v1::SandboxError { code: ErrorCode::Memory.into(), ..v1::SandboxError::default() };
    let store = in_memory(&[accepted(), Kind::Failed(error)]).await;
    let run = store.run("a", &Viewer::Everyone).await.unwrap().unwrap();
    assert_eq!((run.state(), run.error_code()), (v1::RunState::Failed, ErrorCode::Memory));
    assert!(run.ended_time.is_some());
}

#[tokio::test]
async fn runs_are_listed_from_the_newest_on() {
    let mut store = in_memory(&[finished()]).await;
    for run_id in ["b", "c", "d"] {
        store = with(store, run_id, &[]).await;
    }
    let listed = store.runs(&Viewer::Everyone, Some("d".into()), 2).await.unwrap();
    assert_eq!(listed.iter().map(|run| run.run_id.as_str()).collect::<Vec<_>>(), ["c", "b"]);
}

#[tokio::test]
async fn request_id_leads_to_its_run() {
    let store = Store::in_memory().unwrap();
    store.begin(run("a", "mine"), OWNER.into(), [9; 32]).await.unwrap();
    assert_eq!(store.find_request(OWNER, "mine").await.unwrap(), Some(("a".into(), [9; 32])));
    assert_eq!(store.find_request(OWNER, "yours").await.unwrap(), None);
}

#[tokio::test]
async fn request_id_is_its_owners() {
    let store = Store::in_memory().unwrap();
    store.begin(run("a", "same"), OWNER.into(), [9; 32]).await.unwrap();
    assert_eq!(store.find_request("uid 8", "same").await.unwrap(), None);
    store.begin(run("b", "same"), "uid 8".into(), [8; 32]).await.unwrap();
    assert_eq!(store.find_request(OWNER, "same").await.unwrap(), Some(("a".into(), [9; 32])));
    assert_eq!(store.find_request("uid 8", "same").await.unwrap(), Some(("b".into(), [8; 32])));
    assert!(store.begin(run("c", "same"), OWNER.into(), [9; 32]).await.is_err());
}

#[tokio::test]
async fn owner_sees_its_own_runs() {
    let store = Store::in_memory().unwrap();
    for (run_id, owner) in [("a", OWNER), ("b", "uid 8"), ("c", OWNER)] {
        store.begin(run(run_id, ""), owner.into(), [0; 32]).await.unwrap();
    }
    let own = Viewer::Owner(OWNER.into());
    let listed = store.runs(&own, None, 10).await.unwrap();
    assert_eq!(listed.iter().map(|run| run.run_id.as_str()).collect::<Vec<_>>(), ["c", "a"]);
    assert_eq!(store.runs(&own, Some("c".into()), 10).await.unwrap().len(), 1);
    assert_eq!(store.run("b", &own).await.unwrap(), None);
    assert_eq!(all(&store).await, ["c", "b", "a"]);
}

#[tokio::test]
async fn run_that_was_live_ends_as_interrupted_with_what_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let store =
        with(open(folder.path()).await.unwrap(), "a", &[accepted(), measured(5), measured(6)])
            .await;
    closed(store).await;
    let store = open(folder.path()).await.unwrap();
    let last = store.events("a", 3, 10).await.unwrap().pop().unwrap();
    let Some(Kind::Failed(error)) = last.kind else { panic!("{last:?}") };
    assert_eq!((last.sequence, error.code()), (4, ErrorCode::Interrupted));
    let partial = error.partial.unwrap();
    assert_eq!((partial.input_sizes, partial.runtime_ms), (vec![5, 6], vec![5.0, 6.0]));
    assert!(partial.peak_memory_mb[0].is_infinite(), "what was not measured is not 0");
    assert_eq!(
        store.run("a", &Viewer::Everyone).await.unwrap().unwrap().error_code(),
        ErrorCode::Interrupted
    );
}

/// A run of a fleet can be restarted before the server stops. Its partial report has no results of
/// the lost worker.
#[tokio::test]
async fn restarted_run_that_was_live_has_what_its_last_worker_told() {
    let folder = tempfile::tempdir().unwrap();
    let again = Kind::Restarted(v1::Restarted { attempt: 2, ..Default::default() });
    let had = vec![accepted(), Kind::Compiled(v1::CompileStep::default()), measured(5), again];
    let had = had.into_iter().chain([measured(6)]).collect::<Vec<_>>();
    closed(with(open(folder.path()).await.unwrap(), "a", &had).await).await;
    let store = open(folder.path()).await.unwrap();
    let last = store.events("a", 5, 10).await.unwrap().pop().unwrap();
    let Some(Kind::Failed(error)) = last.kind else { panic!("{last:?}") };
    let partial = error.partial.unwrap();
    assert_eq!((partial.input_sizes, partial.compile), (vec![6], None));
}

/// Drops the last handle, and waits until the owner task has ended.
async fn closed(store: Store) {
    let works = store.work.clone().downgrade();
    drop(store);
    let mut gone = tokio::time::interval(Duration::from_millis(1));
    while works.upgrade().is_some() {
        gone.tick().await;
    }
}

#[tokio::test]
async fn run_that_ended_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let store = with(open(folder.path()).await.unwrap(), "a", &[accepted(), finished()]).await;
    let before = store.run("a", &Viewer::Everyone).await.unwrap();
    let name = store.instance();
    closed(store).await;
    let store = open(folder.path()).await.unwrap();
    assert_eq!(store.run("a", &Viewer::Everyone).await.unwrap(), before);
    assert_eq!(store.instance(), name, "the folder makes the instance");
}

#[tokio::test]
async fn one_server_at_a_time_uses_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let _first = open(folder.path()).await.unwrap();
    let second = open(folder.path()).await.unwrap_err();
    assert!(matches!(second, OpenError::Locked(_)), "{second}");
}

#[tokio::test]
async fn folder_that_cannot_be_made_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let failed = open(&file.path().join("state")).await.unwrap_err();
    assert!(failed.to_string().contains("state"), "{failed}");
}

#[tokio::test]
async fn files_in_an_open_folder_are_the_users_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let _store = open(folder.path()).await.unwrap();
    for file in fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{:?} has mode {mode:o}", file.file_name());
    }
}

impl Store {
    /// Makes a store in memory that keeps this number of ended runs.
    #[cfg(feature = "fleet")]
    pub(crate) fn keeping(runs: u32) -> Self {
        let mut store = Self::in_memory().unwrap();
        store.retention = Retention { runs: Some(runs), ..Retention::default() };
        store
    }

    /// Lets the database have no more pages, as on a full disk, or lifts that limit again.
    pub(crate) async fn fill(&self, full: bool) {
        let pages = if full { 1_i64 } else { i64::from(u32::MAX) - 1 };
        let bound = move |connection: &mut Connection| {
            connection.pragma_update(None, "max_page_count", pages)
        };
        self.read(bound).await.unwrap();
    }
}

#[tokio::test]
async fn full_disk_is_a_fault_that_goes_away() {
    let store = in_memory(&[accepted()]).await;
    let mut health = store.health();
    store.fill(true).await;
    let large = large();
    let failed = store.append(event("a", 2, large.clone())).await.unwrap_err();
    assert!(failed.to_string().contains("full"), "{failed}");
    assert!(health.wait_for(Result::is_err).await.is_ok());
    store.fill(false).await;
    // The store retries without a request.
    assert!(health.wait_for(Result::is_ok).await.is_ok());
    store.append(event("a", 2, large)).await.unwrap();
}

#[tokio::test]
async fn folder_that_vanishes_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await.unwrap();
    let mut health = store.health();
    folder.close().unwrap();
    assert!(store.begin(run("a", ""), OWNER.into(), [0; 32]).await.is_err());
    assert!(health.wait_for(Result::is_err).await.is_ok());
}

#[tokio::test]
async fn disk_with_room_for_little_is_still_full() {
    let store = in_memory(&[accepted()]).await;
    let mut health = store.health();
    store.fill(true).await;
    assert!(store.append(event("a", 2, large())).await.is_err());
    assert!(health.wait_for(Result::is_err).await.is_ok());
    store.append(event("a", 2, accepted())).await.unwrap();
    assert!(health.borrow().is_err(), "something small can be written, and a report cannot");
}

fn large() -> Kind {
    Kind::Finished(v1::ProfileReport { task_id: "x".repeat(1 << 20), ..Default::default() })
}
