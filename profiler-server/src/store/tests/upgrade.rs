//! Databases of every earlier version.

use super::open;
use crate::store::database::FILE;
use crate::store::{StateFolder, Viewer};
use profiler_proto::Word;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, ErrorCode, RunState};
use rusqlite::Connection;
use std::fs;

/// Runs of version 0.1: finished, failed and cancelled ones.
const DATABASE_0_1: &[u8] = include_bytes!("../../../tests/fixtures/v0.1/runs.sqlite3");

#[tokio::test]
async fn runs_of_version_0_1_are_listed_and_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(FILE), DATABASE_0_1).unwrap();
    // The second time, the database already has the current schema.
    for _ in 0..2 {
        let store = open(folder.path()).await.unwrap();
        let runs = store.runs(&Viewer::Everyone, None, 100).await.unwrap();
        let ends: Vec<_> =
            runs.iter().map(|run| (run.task_id.as_str(), run.error_code().word())).collect();
        assert_eq!(
            ends,
            [
                ("ok", ""),
                ("slow", "cancelled"),
                ("slow", ""),
                ("crash", ""),
                ("big", "memory"),
                ("bad", "compile"),
            ]
        );
        let mut warnings = Vec::new();
        let mut evidence = Vec::new();
        let mut classes = Vec::new();
        for run in &runs {
            let events = store.events(&run.run_id, 0, u32::MAX).await.unwrap();
            assert_eq!(events.len() as u64, run.last_sequence);
            for event in events {
                let report = match event.kind.unwrap() {
                    Kind::SizeMeasured(size) => {
                        evidence.extend(size.evidence);
                        continue;
                    }
                    Kind::Finished(report) => report,
                    Kind::Failed(error) => error.partial.unwrap(),
                    _ => continue,
                };
                warnings.extend(report.warnings.iter().map(v1::Warning::code));
                evidence.extend(report.sizes.iter().filter_map(|size| size.evidence.clone()));
                classes.extend(report.growth.and_then(|growth| growth.time?.class()));
            }
        }
        assert!(warnings.contains(&v1::WarningCode::RuntimeFailure));
        assert!(warnings.contains(&v1::WarningCode::Noisy), "{warnings:?}");
        assert!(!warnings.contains(&v1::WarningCode::Unspecified), "{warnings:?}");
        let killed_by_nobody = v1::KilledBy::Unspecified;
        assert!(evidence.iter().all(|it| it.killed_by() != killed_by_nobody), "{evidence:?}");
        let met = |limit| evidence.iter().any(|it| it.limit() == limit);
        assert!(met(v1::LimitKind::Wall) && met(v1::LimitKind::Memory), "{evidence:?}");
        assert!(classes.contains(&profiler_growth::Class::Quadratic), "{classes:?}");
    }
}

/// Runs of schema 2: a finished one, one that does not compile, and one that was live when its
/// server was killed. The server of commit 2f7654bb wrote the file.
const SCHEMA_2: &[u8] = include_bytes!("../../../tests/fixtures/schema-2/runs.sqlite3");

#[tokio::test]
async fn runs_of_schema_2_are_listed_and_the_live_one_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(FILE), SCHEMA_2).unwrap();
    for _ in 0..2 {
        let store = open(folder.path()).await.unwrap();
        let runs = store.runs(&Viewer::Everyone, None, 100).await.unwrap();
        let found: Vec<_> =
            runs.iter().map(|run| (run.task_id.as_str(), run.state(), run.error_code())).collect();
        assert_eq!(
            found,
            [
                ("slow", RunState::Failed, ErrorCode::Interrupted),
                ("bad", RunState::Failed, ErrorCode::Compile),
                ("loop", RunState::Finished, ErrorCode::Unspecified),
            ]
        );
        for run in &runs {
            let events = store.events(&run.run_id, 0, u32::MAX).await.unwrap();
            assert_eq!(events.len() as u64, run.last_sequence);
        }
    }
}

/// In these versions, callers chose their own names, so no name owns these runs. The upgrade
/// replaces the table of events, keeps the events, and leaves a file without faults.
#[tokio::test]
async fn run_of_before_owners_is_the_admins() {
    for database in [DATABASE_0_1, SCHEMA_2] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), database).unwrap();
        let store = open(folder.path()).await.unwrap();
        let all = store.runs(&Viewer::Everyone, None, 100).await.unwrap();
        for run in &all {
            let viewer = Viewer::Owner(run.caller.clone());
            assert_eq!(store.run(&run.run_id, &viewer).await.unwrap(), None);
            assert!(!store.delete(&run.run_id, &viewer).await.unwrap());
            let known = store.find_request(&run.caller, &run.request_id).await.unwrap();
            assert_eq!(known, None);
        }
        let verified = StateFolder::open(Some(folder.path().into())).unwrap().verify().unwrap();
        assert_eq!((verified.runs, verified.problems), (all.len() as u64, vec![]));
        assert!(verified.events > verified.runs, "{}", verified.events);
    }
}

#[tokio::test]
async fn database_of_another_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let database = Connection::open(folder.path().join(FILE)).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    drop(database);
    let failed = open(folder.path()).await.unwrap_err();
    let advice = "another version of swiftprof wrote it (format 99): start the version that wrote \
                  it, or use another --state-dir";
    assert!(failed.to_string().ends_with(advice), "{failed}");
}
