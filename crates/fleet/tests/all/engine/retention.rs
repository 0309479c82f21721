//! Logs that are full.

use crate::engine::scene::{PATIENCE, Scene, report, run, size, take};
use profiler_fleet::{Credentials, Fleet, LogFigures, LogLimits, Settlement, Taken};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use profiler_test_support::wait::until;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;

judged!(full_logs_lose_ended_runs_and_no_live_one);

/// Maximum size of the logs.
const LIMIT: u32 = 256 << 10;
/// Size of the last event of a run.
const LARGE: usize = 20 << 10;
/// Runs that together have more bytes than the limit.
const RUNS: u64 = 20;
const _: () = assert!(RUNS * LARGE as u64 > LIMIT as u64 * 3 / 2);

/// The oldest messages are those of a run that is measured while others begin and end.
async fn full_logs_lose_ended_runs_and_no_live_one(scene: Scene) {
    scene.limit_logs(LIMIT).await;
    let (tell, figures) = watch::channel(LogFigures::default());
    let gateway = scene.gateway.clone();
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { gateway.remove_old_runs(tell).await });
    let live = scene.accepted(run("live", "a", "live")).await;
    let worker = scene.worker("w").await;
    let Taken { log: mut live_log, lease, .. } = take(&worker).await;
    tasks.spawn(async move { lease.lost().await });
    let mut story = vec!["accepted".to_owned(), "started 1".into()];
    for number in 1..=RUNS {
        let name = format!("run-{number}");
        scene.accepted(run(&name, "a", &name)).await;
        let Taken { origin, mut log, lease, receipt, .. } = take(&worker).await;
        assert_eq!(origin.run_id(), name);
        let large = v1::ProfileReport { task_id: "x".repeat(LARGE), ..Default::default() };
        log.append(Kind::Finished(large)).await.expect("stored");
        worker.settle(receipt, lease, Settlement::Done).await.expect("done");
        live_log.append(size(number)).await.expect("stored");
        story.push(format!("size {number}"));
    }
    live_log.append(report()).await.expect("stored");
    story.push("finished".into());
    assert_eq!(scene.story(&live).await, story);
    assert!(scene.story("run-1").await.is_empty(), "the oldest that ended is gone");
    assert!(!scene.story(&format!("run-{RUNS}")).await.is_empty());
    // The request ID of a run that is gone is free, so the engine does not fill up with them.
    scene.accepted(run("again", "a", "run-1")).await;
    let has_room = async || (figures.borrow().share < 0.8).then_some(());
    until("the logs have room", PATIENCE, has_room).await;
}

/// A gateway of 0.2 let the engine remove the oldest messages. Limits that nobody set stay.
#[tokio::test]
async fn limits_of_the_logs_are_settings() {
    let Some(scene) = Scene::real().await else { return };
    let limits = async |limits| {
        let prepared = Fleet::prepare(&scene.url(), &Credentials::default(), limits).await;
        prepared.expect("prepared");
        let client = async_nats::connect(scene.url()).await.expect("connected");
        let context = async_nats::jetstream::new(client);
        let config = async |name| {
            let stream = context.get_stream(name).await.expect("it is there");
            stream.cached_info().config.clone()
        };
        (config("SP_LOGS").await, config("SP_BLOBS").await, context.clone())
    };
    let day = Duration::from_secs(24 * 60 * 60);
    let (logs, blobs, context) = limits(LogLimits::default()).await;
    assert_eq!((logs.max_bytes, logs.max_age, blobs.max_age), (8 << 30, 7 * day, 7 * day));
    let older = async_nats::jetstream::stream::Config {
        discard: async_nats::jetstream::stream::DiscardPolicy::Old,
        ..logs
    };
    context.update_stream(older).await.expect("updated");
    let set = LogLimits { age: Some(3 * day), bytes: Some(1 << 30) };
    for given in [set, LogLimits::default()] {
        let (logs, blobs, _) = limits(given).await;
        assert_eq!((logs.max_bytes, logs.max_age, blobs.max_age), (1 << 30, 3 * day, 3 * day));
        assert_eq!(logs.discard, async_nats::jetstream::stream::DiscardPolicy::New);
    }
}
