//! The acts of gateways and workers against a real NATS server.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

use futures::StreamExt;
use profiler_fleet::{
    Cancelled, Credentials, Defaults, Fenced, Fleet, Followed, Gateway, Left, NewRun, Origin,
    RunLog, Submitted, Taken, Worker,
};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use profiler_test_support::nats::NatsServer;
use profiler_test_support::wire::Wire;
use std::time::Duration;
use tokio::time::timeout;

const POOL: &str = "a2e4758ef19427fe";
/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

struct Scene {
    server: NatsServer,
    gateway: Gateway,
}

impl Scene {
    async fn set() -> Option<Self> {
        let server = NatsServer::start().await?;
        let fleet = Fleet::prepare(&server.url(), &Credentials::default()).await;
        Some(Self { gateway: Gateway::new(fleet.expect("prepared")), server })
    }

    async fn another_gateway(&self) -> Gateway {
        let fleet = Fleet::prepare(&self.server.url(), &Credentials::default()).await;
        Gateway::new(fleet.expect("prepared"))
    }

    async fn worker(&self, name: &str) -> Worker {
        let fleet = Fleet::join(&self.server.url(), &Credentials::default()).await;
        Worker::new(fleet.expect("joined"), name.into(), POOL.into())
    }

    /// Submits a run, and returns its ID.
    async fn accepted(&self, run: NewRun) -> String {
        let submitted = self.gateway.submit(run).await.expect("submitted");
        let Submitted::Run(origin) = submitted else { panic!("{submitted:?}") };
        origin.run.expect("a row").run_id
    }

    /// The kinds of a run's events, in words.
    async fn story(&self, run_id: &str) -> Vec<String> {
        let events = self.gateway.fleet().events_of(run_id).await.expect("read");
        let numbers: Vec<_> = events.iter().map(|followed| followed.event.sequence).collect();
        assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
        events.iter().map(word).collect()
    }
}

fn word(followed: &Followed) -> String {
    match followed.event.kind.as_ref().expect("a kind") {
        Kind::Accepted(_) => "accepted".into(),
        Kind::Started(started) => format!("started {}", started.attempt),
        Kind::Restarted(restarted) => format!("restarted {}", restarted.attempt),
        Kind::SizeMeasured(result) => format!("size {}", result.size),
        Kind::Finished(_) => "finished".into(),
        Kind::Failed(error) => format!("failed {}", error.code().as_str_name()),
        other => panic!("{other:?}"),
    }
}

fn run(run_id: &str, caller: &str, request_id: &str) -> NewRun {
    let row = v1::Run {
        run_id: run_id.into(),
        caller: caller.into(),
        request_id: request_id.into(),
        ..v1::Run::default()
    };
    let origin = Origin {
        run: Some(row),
        owner: caller.into(),
        digest: vec![7; 32],
        pool: POOL.into(),
        ..Origin::default()
    };
    NewRun { origin, job: Vec::new(), defaults: Defaults::default(), queue_position: 0 }
}

async fn take(worker: &Worker) -> Taken {
    let taken = worker.take(|_, _| failed(v1::ErrorCode::Interrupted), std::future::pending());
    timeout(PATIENCE, taken).await.expect("in time").expect("taken").expect("a job")
}

fn failed(code: v1::ErrorCode) -> v1::SandboxError {
    v1::SandboxError { code: code.into(), ..v1::SandboxError::default() }
}

fn size(size: u64) -> Kind {
    Kind::SizeMeasured(v1::SizeResult { size, ..v1::SizeResult::default() })
}

fn report() -> Kind {
    Kind::Finished(v1::ProfileReport::default())
}

#[tokio::test]
async fn a_run_goes_from_a_gateway_to_a_worker_and_back() {
    let Some(scene) = Scene::set().await else { return };
    let elsewhere = scene.another_gateway().await;
    let mut followed = elsewhere.fleet().follow(0);
    let run_id = scene.accepted(run("one", "a caller. of *", "")).await;
    let worker = scene.worker("w").await;
    let mut taken = take(&worker).await;
    taken.log.append(size(100)).await.expect("stored");
    taken.log.append(report()).await.expect("stored");
    assert_eq!(taken.log.append(size(200)).await, Err(Fenced), "after the end");
    worker.settle(taken.receipt, taken.lease, Left::Done).await.expect("done");
    let story = ["accepted", "started 1", "size 100", "finished"];
    assert_eq!(scene.story(&run_id).await, story);
    let seen: Vec<_> =
        followed.by_ref().take(story.len()).map(|event| word(&event)).collect().await;
    assert_eq!(seen, story);
    // Nobody gets it again.
    let another = scene.worker("another").await;
    let second = scene.accepted(run("two", "b", "")).await;
    assert_eq!(take(&another).await.job.origin.run.expect("a row").run_id, second);
}

#[tokio::test]
async fn a_request_id_has_one_run_at_all_gateways() {
    let Some(scene) = Scene::set().await else { return };
    let elsewhere = scene.another_gateway().await;
    let submissions = (0..16).map(|number| {
        let gateway = if number % 2 == 0 { &scene.gateway } else { &elsewhere };
        gateway.submit(run(&format!("run-{number}"), "a", "the same"))
    });
    let submitted = futures::future::try_join_all(submissions).await.expect("submitted");
    let ids: Vec<_> = submitted
        .into_iter()
        .map(|submitted| match submitted {
            Submitted::Run(origin) => origin.run.expect("a row").run_id,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(scene.story(&ids[0]).await, ["accepted"]);
    let mut other = run("other", "a", "the same");
    other.origin.digest = vec![8; 32];
    assert_eq!(scene.gateway.submit(other).await.expect("asked"), Submitted::OtherJob);
    let another_owner = scene.accepted(run("another", "b", "the same")).await;
    assert_eq!(another_owner, "another");
}

/// A worker that was taken for dead writes nothing more, and its run is another's.
#[tokio::test]
async fn a_zombie_is_fenced() {
    let Some(scene) = Scene::set().await else { return };
    let run_id = scene.accepted(run("one", "a", "")).await;
    let (zombie, heir) = (scene.worker("zombie").await, scene.worker("heir").await);
    let mut lost = take(&zombie).await;
    lost.log.append(size(100)).await.expect("stored");
    // As the engine does when the worker says nothing for a while.
    lost.lease.hand_back().await.expect("handed back");
    let mut taken = take(&heir).await;
    assert_eq!(lost.log.append(size(200)).await, Err(Fenced));
    assert_eq!(lost.log.append(report()).await, Err(Fenced), "for ever");
    taken.log.append(size(100)).await.expect("stored");
    taken.log.append(report()).await.expect("stored");
    let story = ["accepted", "started 1", "size 100", "restarted 2", "size 100", "finished"];
    assert_eq!(scene.story(&run_id).await, story);
}

#[tokio::test]
async fn a_run_that_loses_two_workers_is_interrupted() {
    let Some(scene) = Scene::set().await else { return };
    let run_id = scene.accepted(run("one", "a", "")).await;
    let worker = scene.worker("w").await;
    for _ in 0..2 {
        take(&worker).await.lease.hand_back().await.expect("handed back");
    }
    scene.accepted(run("two", "a", "")).await;
    let next = take(&worker).await;
    assert_eq!(next.job.origin.run.expect("a row").run_id, "two");
    let story = ["accepted", "started 1", "restarted 2", "failed ERROR_CODE_INTERRUPTED"];
    assert_eq!(scene.story(&run_id).await, story);
}

#[tokio::test]
async fn a_waiting_run_is_cancelled_by_any_gateway() {
    let Some(scene) = Scene::set().await else { return };
    let run_id = scene.accepted(run("one", "a", "")).await;
    let code = v1::ErrorCode::Cancelled;
    let elsewhere = scene.another_gateway().await;
    let cancel = async || elsewhere.cancel(&run_id, 1, code, || failed(code)).await.expect("asked");
    assert_eq!(cancel().await, Cancelled::Ended);
    assert_eq!(cancel().await, Cancelled::TooLate);
    assert_eq!(scene.story(&run_id).await, ["accepted", "failed ERROR_CODE_CANCELLED"]);
}

#[tokio::test]
async fn a_worker_hears_that_its_run_must_stop() {
    let Some(scene) = Scene::set().await else { return };
    let run_id = scene.accepted(run("one", "a", "")).await;
    let worker = scene.worker("w").await;
    let mut taken = take(&worker).await;
    let code = v1::ErrorCode::Deadline;
    let cancel = scene.gateway.cancel(&run_id, 1, code, || panic!("the worker has it"));
    let (cancelled, heard) = tokio::join!(cancel, taken.stop.asked(worker.fleet()));
    assert_eq!((cancelled.expect("asked"), heard), (Cancelled::Stopping, code));
}

#[tokio::test]
async fn a_full_queue_refuses_and_leaves_nothing() {
    let Some(scene) = Scene::set().await else { return };
    for number in 0..64 {
        scene.accepted(run(&format!("run-{number}"), "many", "")).await;
    }
    let beyond = scene.gateway.submit(run("beyond", "many", "mine")).await.expect("asked");
    assert_eq!(beyond, Submitted::QueueFull);
    assert!(scene.story("beyond").await.is_empty());
    scene.accepted(run("few", "few", "")).await;
    let worker = scene.worker("w").await;
    let taken = take(&worker).await;
    worker.settle(taken.receipt, taken.lease, Left::Done).await.expect("done");
    // The request ID is free for another job.
    let mut another = run("another", "few", "mine");
    another.origin.digest = vec![9; 32];
    scene.accepted(another).await;
}

/// Callers take turns whatever they have waiting.
#[tokio::test]
async fn callers_take_turns() {
    let Some(scene) = Scene::set().await else { return };
    for number in 0..4 {
        scene.accepted(run(&format!("many-{number}"), "many", "")).await;
    }
    scene.accepted(run("few", "few", "")).await;
    let worker = scene.worker("w").await;
    let first = take(&worker).await;
    let second = take(&worker).await;
    assert_ne!(first.job.origin.owner, second.job.origin.owner);
}

#[tokio::test]
async fn nothing_is_lost_when_the_engine_is_killed() {
    let Some(mut scene) = Scene::set().await else { return };
    let run_id = scene.accepted(run("one", "a", "")).await;
    let worker = scene.worker("w").await;
    let mut followed = scene.another_gateway().await.fleet().follow(0);
    let mut taken = take(&worker).await;
    taken.log.append(size(100)).await.expect("stored");
    scene.server.kill().await;
    let (appended, ()) = tokio::join!(
        async {
            taken.log.append(size(200)).await.expect("stored");
            taken.log.append(report()).await
        },
        scene.server.restart()
    );
    appended.expect("stored");
    let story = ["accepted", "started 1", "size 100", "size 200", "finished"];
    assert_eq!(scene.story(&run_id).await, story);
    let seen = followed.by_ref().take(story.len()).map(|event| word(&event)).collect::<Vec<_>>();
    assert_eq!(timeout(PATIENCE, seen).await.expect("in time"), story);
}

/// A run that is stopped drops what it was about to append, and then says why it stopped.
#[tokio::test]
async fn an_append_goes_behind_one_that_was_dropped() {
    let Some(scene) = Scene::set().await else { return };
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
    // Of the two that were dropped, the second is refused, for the first came before it.
    assert_eq!(story, ["accepted", "started 1", "size 100"]);
    assert_eq!(taken.log.append(size(300)).await, Err(Fenced));
}

/// The question for a job is lost with its connection, and nobody answers.
#[tokio::test]
async fn a_worker_whose_question_is_lost_asks_again() {
    let Some(scene) = Scene::set().await else { return };
    let wire = Wire::start(&scene.server.address(), "CONSUMER.MSG.NEXT", true).await;
    let fleet = Fleet::join(&wire.url(), &Credentials::default()).await.expect("joined");
    let worker = Worker::new(fleet, "w".into(), POOL.into());
    let run_id = scene.accepted(run("one", "a", "")).await;
    let taken = async || loop {
        let interrupted = |_: Option<&_>, _| failed(v1::ErrorCode::Interrupted);
        if let Ok(Some(taken)) = worker.take(interrupted, std::future::pending()).await {
            return taken;
        }
    };
    let taken = timeout(PATIENCE, taken()).await.expect("in time");
    assert_eq!(taken.job.origin.run.expect("a row").run_id, run_id);
}

/// Making a consumer is a synced write for the engine, or a vote of the cluster.
#[tokio::test]
async fn a_consumer_is_made_once() {
    let Some(scene) = Scene::set().await else { return };
    let wire = Wire::start(&scene.server.address(), "CONSUMER.CREATE.SP_JOBS", false).await;
    let fleet = Fleet::prepare(&wire.url(), &Credentials::default()).await.expect("prepared");
    let gateway = Gateway::new(fleet);
    for (number, caller) in ["a", "b", "a", "b", "a"].into_iter().enumerate() {
        let new = run(&format!("run-{number}"), caller, "");
        assert!(matches!(gateway.submit(new).await.expect("asked"), Submitted::Run(_)));
    }
    assert_eq!(wire.count(), 2);
}

/// Two gateways race for one request ID and the last room in the queue.
#[tokio::test]
async fn a_claim_that_is_given_back_is_not_anothers() {
    let Some(scene) = Scene::set().await else { return };
    let elsewhere = scene.another_gateway().await;
    let worker = scene.worker("w").await;
    for number in 0..64 {
        scene.accepted(run(&format!("run-{number}"), "many", "")).await;
    }
    for round in 0..20 {
        let request = format!("request-{round}");
        let submission = |gateway: &str| run(&format!("{gateway}-{round}"), "many", &request);
        let free = async {
            let taken = take(&worker).await;
            worker.settle(taken.receipt, taken.lease, Left::Done).await.expect("done");
        };
        let (one, other, ()) = tokio::join!(
            scene.gateway.submit(submission("one")),
            elsewhere.submit(submission("other")),
            free
        );
        let later = scene.gateway.submit(submission("later")).await.expect("asked");
        for submitted in [one, other].map(|submitted| submitted.expect("asked")) {
            if let (Submitted::Run(early), Submitted::Run(late)) = (submitted, &later) {
                assert_eq!(early.run, late.run, "{request}");
            }
        }
    }
}

/// A host whose first server is down joins at another.
#[tokio::test]
async fn one_server_of_several_suffices() {
    let Some(scene) = Scene::set().await else { return };
    let urls = format!("nats://127.0.0.1:1, {}", scene.server.url());
    Fleet::join(&urls, &Credentials::default()).await.expect("joined");
}

/// Whoever asks in time gets no job that nobody would measure.
#[tokio::test]
async fn a_worker_that_leaves_takes_no_job() {
    let Some(scene) = Scene::set().await else { return };
    let worker = scene.worker("w").await;
    scene.accepted(run("one", "a", "")).await;
    let taken = worker.take(|_, _| failed(v1::ErrorCode::Interrupted), async {}).await;
    assert!(taken.expect("asked").is_none());
    take(&worker).await;
}

/// A caller that comes back for a run that has ended is told so.
#[tokio::test]
async fn the_request_id_of_a_run_that_has_ended_is_known() {
    let Some(scene) = Scene::set().await else { return };
    let run_id = scene.accepted(run("one", "a", "mine")).await;
    let worker = scene.worker("w").await;
    let mut taken = take(&worker).await;
    taken.log.append(report()).await.expect("stored");
    let again = scene.gateway.submit(run("two", "a", "mine")).await.expect("asked");
    let Submitted::Ended(origin) = again else { panic!("{again:?}") };
    assert_eq!(origin.run.expect("a row").run_id, run_id);
}

/// A report may be larger than the engine's messages.
#[tokio::test]
async fn large_events_are_whole() {
    let Some(scene) = Scene::set().await else { return };
    let run_id = scene.accepted(run("one", "a", "")).await;
    let mut log = RunLog::open(scene.gateway.fleet(), &run_id, "w").await.expect("opened");
    let message = "x".repeat(3 << 20);
    let error = v1::SandboxError { message: message.clone(), ..v1::SandboxError::default() };
    log.append(Kind::Failed(error)).await.expect("stored");
    let events = scene.gateway.fleet().events_of(&run_id).await.expect("read");
    let Some(Kind::Failed(error)) = &events[1].event.kind else { panic!("{events:?}") };
    assert_eq!(error.message.len(), message.len());
}
