//! Assignment of jobs, and their refusal when there is no room.

use crate::engine::scene::{MAX_JOBS_PER_CALLER, PATIENCE, POOL, Scene, failed, run, take};
use profiler_fleet::{Gateway, Settlement, Submitted, Worker};
use profiler_proto::v1;
use profiler_test_support::wait::until;
use tokio::task::JoinSet;

judged!(
    full_queue_refuses_and_leaves_nothing,
    callers_take_turns,
    consumer_is_made_once,
    claim_that_is_given_back_is_not_anothers,
    worker_that_leaves_takes_no_job,
    job_wakes_one_worker,
);

/// Workers that wait at the same time.
const WORKERS: usize = 8;

async fn full_queue_refuses_and_leaves_nothing(scene: Scene) {
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
async fn callers_take_turns(scene: Scene) {
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
async fn consumer_is_made_once(scene: Scene) {
    let counter = scene.counter("CONSUMER.CREATE.SP_JOBS", "make_consumer", false).await;
    let gateway = Gateway::new(counter.prepare().await);
    for (number, caller) in ["a", "b", "a", "b", "a"].into_iter().enumerate() {
        let new = run(&format!("run-{number}"), caller, "");
        assert!(matches!(gateway.submit(new).await.expect("asked"), Submitted::Run(_)));
    }
    assert_eq!(counter.count(), 2);
}

/// Two gateways race for one request ID, and for the last place in the queue.
async fn claim_that_is_given_back_is_not_anothers(scene: Scene) {
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
async fn worker_that_leaves_takes_no_job(scene: Scene) {
    let worker = scene.worker("w").await;
    scene.accepted(run("one", "a", "")).await;
    let taken = worker.take(|_, _| failed(v1::ErrorCode::Interrupted), async {}).await;
    assert!(taken.expect("asked").is_none());
    take(&worker).await;
}

/// Each ring wakes one worker. If that worker is busy by then, another one gets the ring.
async fn job_wakes_one_worker(scene: Scene) {
    let counter = scene.counter("STREAM.INFO.SP_JOBS", "subjects", false).await;
    let mut waiting = JoinSet::new();
    for number in 0..WORKERS {
        let worker = Worker::new(counter.join().await, format!("w{number}"), POOL.into());
        waiting.spawn(async move { (take(&worker).await, worker).0.job });
    }
    // Each worker sends this request when it first looks for a job; to a real engine, also when it
    // joins.
    let requests = if scene.is_simulated() { WORKERS } else { 2 * WORKERS };
    let all_wait = async || (counter.count() >= requests).then_some(());
    until("all workers wait", PATIENCE, all_wait).await;
    let looks = counter.count();
    for number in 0..WORKERS {
        scene.accepted(run(&format!("run-{number}"), "a", "")).await;
        waiting.join_next().await.expect("a worker").expect("a job");
    }
    // A ring names the lane of its job, so the woken worker need not look. If a ring woke all
    // workers, each job would cost one look of each worker that still waits: 36 looks in all. A few
    // looks are allowed, because a worker that waits for some seconds looks again.
    let looked = counter.count() - looks;
    assert!(looked < 2 * WORKERS, "{looked}");
}

/// A gateway of 0.2 made room for 512 jobs of a caller. Its other limits may be the operator's.
#[tokio::test]
async fn queue_of_an_older_gateway_becomes_longer() {
    let Some(scene) = Scene::real().await else { return };
    let client = async_nats::connect(scene.url()).await.expect("connected");
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
