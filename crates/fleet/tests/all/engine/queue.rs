//! Assignment of jobs, and their refusal when there is no room.

use crate::engine::scene::{MAX_JOBS_PER_CALLER, PATIENCE, POOL, Scene, failed, run, take};
use profiler_fleet::{Credentials, Fleet, Gateway, Settlement, Submitted, Worker};
use profiler_proto::v1;
use profiler_test_support::wait::until;
use profiler_test_support::wire::Wire;
use tokio::task::JoinSet;

/// Workers that wait at the same time.
const WORKERS: usize = 8;

#[tokio::test]
async fn full_queue_refuses_and_leaves_nothing() {
    let Some(scene) = Scene::set().await else { return };
    scene.fill("many").await;
    let beyond = scene.gateway.submit(run("beyond", "many", "mine")).await.expect("asked");
    assert_eq!(beyond, Submitted::QueueFull);
    assert!(scene.story("beyond").await.is_empty());
    scene.accepted(run("few", "few", "")).await;
    let worker = scene.worker("w").await;
    let taken = take(&worker).await;
    worker.settle(taken.receipt, taken.lease, Settlement::Done).await.expect("done");
    // The request ID is free for another job.
    let mut another = run("another", "few", "mine");
    another.origin.digest = vec![9; 32];
    scene.accepted(another).await;
}

/// Callers take turns, however many runs of each are waiting.
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
    assert_ne!(first.origin.owner, second.origin.owner);
}

/// A consumer is expensive to make: it costs the engine a synced write, or the cluster a vote.
#[tokio::test]
async fn consumer_is_made_once() {
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

/// Two gateways race for one request ID, and for the last place in the queue.
#[tokio::test]
async fn claim_that_is_given_back_is_not_anothers() {
    let Some(scene) = Scene::set().await else { return };
    let elsewhere = scene.another_gateway().await;
    let worker = scene.worker("w").await;
    scene.fill("many").await;
    for round in 0..20 {
        let request = format!("request-{round}");
        let submission = |gateway: &str| run(&format!("{gateway}-{round}"), "many", &request);
        let free = async {
            let taken = take(&worker).await;
            worker.settle(taken.receipt, taken.lease, Settlement::Done).await.expect("done");
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

/// A worker that leaves would not measure the job.
#[tokio::test]
async fn worker_that_leaves_takes_no_job() {
    let Some(scene) = Scene::set().await else { return };
    let worker = scene.worker("w").await;
    scene.accepted(run("one", "a", "")).await;
    let taken = worker.take(|_, _| failed(v1::ErrorCode::Interrupted), async {}).await;
    assert!(taken.expect("asked").is_none());
    take(&worker).await;
}

/// Each ring wakes one worker. If that worker is busy by then, another one gets the ring.
#[tokio::test]
async fn job_wakes_one_worker() {
    let Some(scene) = Scene::set().await else { return };
    let wire = Wire::start(&scene.server.address(), "STREAM.INFO.SP_JOBS", false).await;
    let mut waiting = JoinSet::new();
    for number in 0..WORKERS {
        let fleet = Fleet::join(&wire.url(), &Credentials::default()).await.expect("joined");
        let worker = Worker::new(fleet, format!("w{number}"), POOL.into());
        waiting.spawn(async move { (take(&worker).await, worker).0.job });
    }
    // Each worker sends this request twice: when it joins, and when it first looks for a job.
    let all_wait = async || (wire.count() >= 2 * WORKERS).then_some(());
    until("all workers wait", PATIENCE, all_wait).await;
    let looks = wire.count();
    for number in 0..WORKERS {
        scene.accepted(run(&format!("run-{number}"), "a", "")).await;
        waiting.join_next().await.expect("a worker").expect("a job");
    }
    // A ring names the lane of its job, so the woken worker need not look. If a ring woke all
    // workers, each job would cost one look of each worker that still waits: 36 looks in all. A few
    // looks are allowed, because a worker that waits for some seconds looks again.
    let looked = wire.count() - looks;
    assert!(looked < 2 * WORKERS, "{looked}");
}

/// A gateway of 0.2 made room for 512 jobs of a caller. Its other limits may be the operator's.
#[tokio::test]
async fn queue_of_an_older_gateway_becomes_longer() {
    let Some(scene) = Scene::set().await else { return };
    let client = async_nats::connect(scene.server.url()).await.expect("connected");
    let context = async_nats::jetstream::new(client);
    let limits = async || {
        let stream = context.get_stream("SP_JOBS").await.expect("it is there");
        stream.cached_info().config.clone()
    };
    let older = async_nats::jetstream::stream::Config {
        max_messages_per_subject: 512,
        max_messages: 99,
        ..limits().await
    };
    context.update_stream(older).await.expect("updated");
    scene.another_gateway().await;
    let now = limits().await;
    let most = i64::from(MAX_JOBS_PER_CALLER);
    assert_eq!((now.max_messages_per_subject, now.max_messages), (most, 99));
}
