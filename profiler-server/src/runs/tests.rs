use super::{Attachment, GRACE, LiveRuns, Progress, Refusal, Submission, Taken};
use crate::config::{Config, Quota};
use crate::store::{Store, Viewer};
use crate::telemetry::metrics::Metrics;
use crate::telemetry::run_record::Requester;
use profiler_core::Profiler;
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::stuck_pool;
use profiler_proto::v1::{self, ErrorCode};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Owner of the runs.
const OWNER: &str = "uid 7";

fn runs(max_queued: usize) -> (LiveRuns, Store) {
    let store = Store::in_memory().unwrap();
    (
        LiveRuns::start(
            Profiler::new(stuck_pool(), None),
            store.clone(),
            Metrics::new("fake"),
            1,
            max_queued,
            Quota::default(),
        ),
        store,
    )
}

fn submission() -> Submission {
    let draft = Draft::new("hello", b"int main() {}");
    Submission {
        message: Vec::new(),
        defaults: Vec::new(),
        #[cfg(feature = "fleet")]
        same_pool_as: String::new(),
        job: draft.try_into().unwrap(),
        digest: [0; 32],
        request_id: String::new(),
        on_disconnect: v1::OnDisconnect::Cancel,
        requester: Requester { owner: OWNER.into(), ..Requester::named("test") },
    }
}

fn called(request_id: &str, digest: u8) -> Submission {
    Submission { request_id: request_id.into(), digest: [digest; 32], ..submission() }
}

/// The error code of a run, once it has ended.
async fn code(mut attachment: Attachment, store: Store) -> ErrorCode {
    let ended = |progress: &Progress| matches!(progress, Progress::Ended(_));
    attachment.progress.wait_for(ended).await.unwrap();
    store.run(&attachment.run_id, &Viewer::Everyone).await.unwrap().unwrap().error_code()
}

#[tokio::test]
async fn run_whose_caller_goes_away_makes_room() {
    let (runs, _) = runs(3);
    let _first = runs.submit(submission()).await.unwrap();
    let second = runs.submit(submission()).await.unwrap();
    let mut third = runs.submit(submission()).await.unwrap();
    drop(second);
    assert!(third.queue_position.wait_for(|&position| position == 1).await.is_ok());
}

#[tokio::test]
async fn same_request_is_the_same_run() {
    let (runs, _) = runs(3);
    let first = runs.submit(called("again", 1)).await.unwrap();
    let second = runs.submit(called("again", 1)).await.unwrap();
    assert_eq!(first.run_id, second.run_id);
}

#[tokio::test]
async fn same_request_is_the_same_run_in_a_full_queue() {
    let (runs, _) = runs(1);
    let first = runs.submit(called("again", 1)).await.unwrap();
    let _second = runs.submit(submission()).await.unwrap();
    assert!(matches!(runs.submit(submission()).await, Err(Refusal::QueueFull { .. })));
    assert_eq!(runs.submit(called("again", 1)).await.unwrap().run_id, first.run_id);
}

#[tokio::test]
async fn another_job_under_the_same_request_id_is_refused() {
    let (runs, _) = runs(3);
    let _first = runs.submit(called("again", 1)).await.unwrap();
    let refused = runs.submit(called("again", 2)).await.unwrap_err();
    assert_eq!(refused, Refusal::RequestIdTaken("again".into()));
}

#[tokio::test]
async fn request_is_still_the_same_run_when_that_is_over() {
    let (runs, store) = runs(3);
    let first = runs.submit(called("again", 1)).await.unwrap();
    let run_id = first.run_id.clone();
    runs.cancel(run_id.clone(), Viewer::Everyone).await.unwrap();
    assert_eq!(code(first, store.clone()).await, ErrorCode::Cancelled);
    let again = runs.submit(called("again", 1)).await.unwrap();
    assert_eq!(again.run_id, run_id);
    assert_eq!(code(again, store).await, ErrorCode::Cancelled);
}

#[tokio::test]
async fn run_lives_as_long_as_one_of_its_submitters() {
    let (runs, store) = runs(3);
    let first = runs.submit(called("again", 1)).await.unwrap();
    let second = runs.submit(called("again", 1)).await.unwrap();
    drop(first);
    let other = runs.submit(submission()).await.unwrap();
    assert_eq!(*other.queue_position.borrow(), 1, "the first is still ahead");
    runs.cancel(second.run_id.clone(), Viewer::Everyone).await.unwrap();
    assert_eq!(code(second, store).await, ErrorCode::Cancelled);
}

#[tokio::test]
async fn watcher_does_not_keep_a_run_that_its_submitter_left() {
    let (runs, store) = runs(3);
    let submitted = runs.submit(submission()).await.unwrap();
    let watching = runs.attach(submitted.run_id.clone(), Viewer::Everyone).await.unwrap();
    drop(submitted);
    assert_eq!(code(watching, store).await, ErrorCode::Cancelled);
}

#[tokio::test(start_paused = true)]
async fn watcher_keeps_a_run_in_its_grace() {
    let (runs, _) = runs(3);
    let graceful = Submission { on_disconnect: v1::OnDisconnect::Grace, ..submission() };
    let submitted = runs.submit(graceful).await.unwrap();
    let mut watching = runs.attach(submitted.run_id.clone(), Viewer::Everyone).await.unwrap();
    drop(submitted);
    let ended = watching.progress.wait_for(|now| matches!(now, Progress::Ended(_)));
    assert!(timeout(10 * GRACE, ended).await.is_err());
}

/// Retention deletes the runs with the lowest ids first, which must not be the newest run.
#[tokio::test]
async fn run_is_the_newest_also_when_the_clock_was_set_back() {
    let store = Store::in_memory().unwrap();
    let run_id = "7fffffff-ffff-7fff-bfff-ffffffffffff".to_owned();
    store.begin(v1::Run { run_id, ..v1::Run::default() }, OWNER.into(), [0; 32]).await.unwrap();
    let runs = LiveRuns::start(
        Profiler::new(stuck_pool(), None),
        store.clone(),
        Metrics::new("fake"),
        1,
        1,
        Quota::default(),
    );
    let submitted = runs.submit(submission()).await.unwrap();
    assert_eq!(store.runs(&Viewer::Everyone, None, 1).await.unwrap()[0].run_id, submitted.run_id);
}

#[tokio::test]
async fn attaching_to_a_run_not_kept_is_refused() {
    let (runs, _) = runs(3);
    let refused = runs.attach("nobody".into(), Viewer::Everyone).await.unwrap_err();
    assert_eq!(refused, Refusal::UnknownRun("nobody".into()));
}

#[tokio::test(start_paused = true)]
async fn run_that_outlasts_the_drain_is_interrupted() {
    let (runs, store) = runs(2);
    let _first = runs.submit(submission()).await.unwrap();
    let second = runs.submit(submission()).await.unwrap();
    runs.drain(Duration::from_secs(10)).await;
    let kept = store.run(&second.run_id, &Viewer::Everyone).await.unwrap().unwrap();
    assert_eq!(kept.error_code(), ErrorCode::Interrupted);
}

#[tokio::test]
async fn submission_is_refused_once_the_server_ends() {
    let (runs, _) = runs(1);
    runs.drain(Duration::ZERO).await;
    assert_eq!(runs.submit(submission()).await.unwrap_err(), Refusal::ShuttingDown);
}

#[tokio::test]
async fn quota_changes_with_the_settings() {
    let (settings, current) = watch::channel(Config::default());
    let (runs, _) = runs(3);
    let followed = runs.clone();
    let mut following = JoinSet::new();
    following.spawn(async move { followed.follow_quota(current).await });
    let _live = runs.submit(submission()).await.unwrap();
    settings.send_modify(|config| config.quota.live_runs = Some(1));
    let refused = async {
        loop {
            match runs.submit(submission()).await {
                Err(Refusal::Quota(taken)) => return taken,
                // The caller goes away.
                _ => tokio::task::yield_now().await,
            }
        }
    };
    assert_eq!(timeout(GRACE, refused).await.unwrap(), Taken::LiveRuns(1));
}

#[tokio::test]
async fn caller_keeps_only_so_much_until_it_deletes() {
    let store = Store::in_memory().unwrap();
    let quota = Quota { kept_mb: Some(1), ..Quota::default() };
    let runs = LiveRuns::start(
        Profiler::new(stuck_pool(), None),
        store.clone(),
        Metrics::new("fake"),
        1,
        3,
        quota,
    );
    let large = v1::ProfileReport { task_id: "x".repeat(1 << 20), ..Default::default() };
    store
        .begin(
            v1::Run { run_id: "a".into(), caller: "test".into(), ..Default::default() },
            OWNER.into(),
            [0; 32],
        )
        .await
        .unwrap();
    let kind = Some(v1::event::Kind::Finished(large));
    let last = v1::Event { run_id: "a".into(), sequence: 1, time: None, kind };
    store.append([last].into()).await.unwrap();
    let refused = runs.submit(submission()).await.unwrap_err();
    assert_eq!(refused, Refusal::Quota(Taken::Kept(1)));
    let other = Submission { requester: Requester::named("other"), ..submission() };
    runs.submit(other).await.unwrap();
    store.delete("a", &Viewer::Everyone).await.unwrap();
    runs.submit(submission()).await.unwrap();
}
