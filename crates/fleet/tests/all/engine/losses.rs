//! Workers, servers, answers and disks that are lost.

use crate::engine::scene::{PATIENCE, POOL, Scene, failed, report, run, size, take, word};
use futures::StreamExt;
use profiler_fleet::{Credentials, Fenced, Fleet, FleetError, RunLog, Worker};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use tokio::sync::watch;
use tokio::time::timeout;

judged!(
    zombie_is_fenced,
    run_that_loses_two_workers_is_interrupted,
    run_that_is_handed_back_has_lost_nobody,
    events_survive_when_the_engine_is_killed,
    append_goes_behind_one_that_was_dropped,
    worker_whose_question_is_lost_asks_again,
    large_events_are_whole,
    engine_that_stores_nothing_is_noticed_and_so_is_its_return,
);

/// A worker that the engine took for dead can write no more events, and another worker has its run.
async fn zombie_is_fenced(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    let (zombie, heir) = (scene.worker("zombie").await, scene.worker("heir").await);
    let mut lost = take(&zombie).await;
    lost.log.append(size(100)).await.expect("stored");
    // The engine does the same if the worker does not renew its lease.
    lost.lease.hand_back().await.expect("handed back");
    let mut taken = take(&heir).await;
    assert_eq!(lost.log.append(size(200)).await, Err(Fenced));
    assert_eq!(lost.log.append(report()).await, Err(Fenced), "for ever");
    taken.log.append(size(100)).await.expect("stored");
    taken.log.append(report()).await.expect("stored");
    let story = ["accepted", "started 1", "size 100", "restarted 2", "size 100", "finished"];
    assert_eq!(scene.story(&run_id).await, story);
}

async fn run_that_loses_two_workers_is_interrupted(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    let worker = scene.worker("w").await;
    for _ in 0..2 {
        take(&worker).await.lease.hand_back().await.expect("handed back");
    }
    scene.accepted(run("two", "a", "")).await;
    let next = take(&worker).await;
    assert_eq!(next.origin.run.expect("a row").run_id, "two");
    let story = ["accepted", "started 1", "restarted 2", "failed ERROR_CODE_INTERRUPTED"];
    assert_eq!(scene.story(&run_id).await, story);
}

/// Draining a host must not end its runs, so an attempt that is handed back is not a lost one.
async fn run_that_is_handed_back_has_lost_nobody(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    let worker = scene.worker("w").await;
    // The workers of the first and the last attempt are lost.
    take(&worker).await.lease.hand_back().await.expect("handed back");
    let mut story = vec!["accepted".to_owned(), "started 1".into(), "restarted 2".into()];
    for attempt in 3..6 {
        let mut taken = take(&worker).await;
        let settlement = taken.log.hand_back().await;
        assert_eq!(taken.log.standing().handed_back, attempt - 2);
        worker.settle(taken.receipt, taken.lease, settlement).await.expect("handed back");
        story.push(format!("restarted {attempt}"));
    }
    take(&worker).await.lease.hand_back().await.expect("handed back");
    story.push("failed ERROR_CODE_INTERRUPTED".into());
    scene.accepted(run("two", "a", "")).await;
    take(&worker).await;
    assert_eq!(scene.story(&run_id).await, story);
}

async fn events_survive_when_the_engine_is_killed(mut scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    let worker = scene.worker("w").await;
    let mut followed = scene.another_gateway().await.fleet().follow(0);
    let mut taken = take(&worker).await;
    taken.log.append(size(100)).await.expect("stored");
    scene.kill().await;
    let (appended, ()) = tokio::join!(
        async {
            taken.log.append(size(200)).await.expect("stored");
            taken.log.append(report()).await
        },
        scene.restart()
    );
    appended.expect("stored");
    let story = ["accepted", "started 1", "size 100", "size 200", "finished"];
    assert_eq!(scene.story(&run_id).await, story);
    let seen = followed.by_ref().take(story.len()).map(|event| word(&event)).collect::<Vec<_>>();
    assert_eq!(timeout(PATIENCE, seen).await.expect("in time"), story);
}

/// A run that is stopped drops the event that it was appending, and appends the reason instead.
async fn append_goes_behind_one_that_was_dropped(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    let worker = scene.worker("w").await;
    let mut taken = take(&worker).await;
    for number in [100, 200] {
        let mut dropped = Box::pin(taken.log.append(size(number)));
        assert!(futures::poll!(&mut dropped).is_pending(), "it is sent, and not answered");
    }
    let code = v1::ErrorCode::Cancelled;
    taken.log.append(Kind::Failed(failed(code))).await.expect("stored");
    let mut story = scene.story(&run_id).await;
    assert_eq!(story.pop().as_deref(), Some("failed ERROR_CODE_CANCELLED"));
    // Both dropped events were sent for the same position, so the engine stored only the first.
    assert_eq!(story, ["accepted", "started 1", "size 100"]);
    assert_eq!(taken.log.append(size(300)).await, Err(Fenced));
}

/// The request for a job is lost together with its connection, so no answer comes.
async fn worker_whose_question_is_lost_asks_again(scene: Scene) {
    let counter = scene.counter("CONSUMER.MSG.NEXT", "fetch", true).await;
    let worker = Worker::new(counter.join().await, "w".into(), POOL.into());
    let run_id = scene.accepted(run("one", "a", "")).await;
    let taken = async || loop {
        let interrupted = |_: Option<&_>, _| failed(v1::ErrorCode::Interrupted);
        if let Ok(Some(taken)) = worker.take(interrupted, std::future::pending()).await {
            return taken;
        }
    };
    let taken = timeout(PATIENCE, taken()).await.expect("in time");
    assert_eq!(taken.origin.run.expect("a row").run_id, run_id);
}

/// If the first server of the list is down, a host connects to another one.
#[tokio::test]
async fn one_server_of_several_suffices() {
    let Some(scene) = Scene::real().await else { return };
    let urls = format!("nats://127.0.0.1:1, {}", scene.url());
    Fleet::join(&urls, &Credentials::default()).await.expect("joined");
}

/// A report can be larger than a message of the engine.
async fn large_events_are_whole(scene: Scene) {
    let run_id = scene.accepted(run("one", "a", "")).await;
    let mut log = RunLog::open(scene.gateway.fleet(), &run_id, "w").await.expect("opened");
    let message = "x".repeat(3 << 20);
    let error = v1::SandboxError { message: message.clone(), ..v1::SandboxError::default() };
    log.append(Kind::Failed(error)).await.expect("stored");
    let events = scene.gateway.fleet().events_of(&run_id).await.expect("read");
    let Some(Kind::Failed(error)) = &events[1].event.kind else { panic!("{events:?}") };
    assert_eq!(error.message.len(), message.len());
}

/// An engine whose disk is full answers, and stores nothing.
async fn engine_that_stores_nothing_is_noticed_and_so_is_its_return(scene: Scene) {
    let (tell, mut health) = watch::channel(Ok::<_, FleetError>(()));
    let judged = async {
        scene.fill_disk(true).await;
        let failed = health.wait_for(Result::is_err).await.expect("it goes on").clone();
        let failed = failed.expect_err("no room").to_string();
        assert!(failed.contains("store a message"), "{failed}");
        scene.fill_disk(false).await;
        health.wait_for(Result::is_ok).await.expect("it goes on");
    };
    tokio::select! {
        () = scene.gateway.probe_writes(tell) => panic!("it goes on"),
        judged = timeout(PATIENCE, judged) => judged.expect("in time"),
    }
    assert!(scene.log_length().await <= 2, "each message replaces the one before");
}
