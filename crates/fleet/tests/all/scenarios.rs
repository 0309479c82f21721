//! Faults that once ended runs or processes, over the simulated engine. Each test fails without the
//! mend that it names.

use crate::engine::scene::{POOL, failed, report, run, size, take, word};
use crate::seeds::process::join;
use futures::FutureExt;
use profiler_fleet::simulated::SimulatedEngine;
use profiler_fleet::{Fenced, Fleet, Gateway, LEASE, Settlement, Submitted, Taken, Worker};
use profiler_proto::v1;
use std::future::pending;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Number of sizes of a run, each of which takes a second.
const SIZES: u64 = 40;
const SECOND: Duration = Duration::from_secs(1);
/// Duration of an outage that ends leases.
const OUTAGE: Duration = Duration::from_secs(40);
/// Time limit of each wait.
const PATIENCE: Duration = Duration::from_secs(600);

/// A process of a fleet.
#[derive(Debug, Clone, Copy)]
enum Part {
    Engine,
    Gateway,
    Worker,
}

async fn measure(fleet: Fleet, name: &str) {
    let worker = Worker::new(fleet, name.into(), POOL.into());
    loop {
        let interrupted = |_: Option<&_>, _| failed(v1::ErrorCode::Interrupted);
        let Ok(Some(taken)) = worker.take(interrupted, pending()).await else {
            sleep(SECOND).await;
            continue;
        };
        let Taken { mut log, lease, receipt, .. } = taken;
        let measured = async {
            for number in 1..=SIZES {
                sleep(SECOND).await;
                log.append(size(number)).await?;
            }
            log.append(report()).await?;
            Ok::<_, Fenced>(Settlement::Done)
        };
        let settlement = tokio::select! {
            biased;
            () = lease.lost() => Settlement::Lost,
            ended = measured => ended.unwrap_or(Settlement::Lost),
        };
        let _ = worker.settle(receipt, lease, settlement).await;
    }
}

async fn submit(gateway: &Gateway, run_id: &str) {
    while !matches!(gateway.submit(run(run_id, "a", "")).await, Ok(Submitted::Run(_))) {
        sleep(SECOND).await;
    }
}

/// Waits until a run has ended, and returns its events in words.
async fn story(fleet: &Fleet, run_id: &str) -> Vec<String> {
    let told = async {
        loop {
            let events = fleet.events_of(run_id).await.unwrap_or_default();
            let words: Vec<_> = events.iter().map(word).collect();
            if words.last().is_some_and(|it| it == "finished" || it.starts_with("failed")) {
                return words;
            }
            sleep(SECOND).await;
        }
    };
    timeout(PATIENCE, told).await.expect("in time")
}

/// Every process waits for the engine, and a worker for the first gateway.
#[tokio::test(start_paused = true)]
async fn processes_start_in_any_order() {
    use Part::{Engine, Gateway as Front, Worker as Host};
    for order in [
        [Engine, Front, Host],
        [Engine, Host, Front],
        [Front, Engine, Host],
        [Front, Host, Engine],
        [Host, Engine, Front],
        [Host, Front, Engine],
    ] {
        let engine = SimulatedEngine::new(1);
        engine.kill();
        let mut processes = JoinSet::new();
        for part in order {
            let (engine, link) = (engine.clone(), engine.connect());
            match part {
                Engine => engine.restart(),
                Front => drop(processes.spawn(async move {
                    let fleet = join(|| engine.try_prepare(&link)).await.expect("it waits");
                    submit(&Gateway::new(fleet), "one").await;
                })),
                Host => drop(processes.spawn(async move {
                    let fleet = join(|| engine.try_join(&link)).await.expect("it waits");
                    measure(fleet, "w").await;
                })),
            }
            sleep(OUTAGE).await;
        }
        let story = story(&engine.join().0, "one").await;
        assert_eq!(story.last().map(String::as_str), Some("finished"), "{order:?}: {story:?}");
    }
}

/// A worker whose lease ended in an outage is not lost.
#[tokio::test(start_paused = true)]
async fn outages_of_the_engine_are_no_losses() {
    let engine = SimulatedEngine::new(1);
    let gateway = Gateway::new(engine.prepare().0);
    let mut workers = JoinSet::new();
    for name in ["one", "another"] {
        workers.spawn(measure(engine.join().0, name));
    }
    submit(&gateway, "run").await;
    for _ in 0..4 {
        // Longer than a job is under way that was given to a worker which no longer waits for it.
        sleep(SECOND * 30).await;
        engine.kill();
        sleep(OUTAGE).await;
        engine.restart();
    }
    let story = story(gateway.fleet(), "run").await;
    let restarts = story.iter().filter(|word| word.starts_with("restarted")).count();
    assert_eq!((restarts, story.last().map(String::as_str)), (4, Some("finished")), "{story:?}");
}

/// An outage excuses the loss of the attempt that it met, and no later one.
#[tokio::test(start_paused = true)]
async fn losses_after_an_outage_count() {
    let engine = SimulatedEngine::new(1);
    let gateway = Gateway::new(engine.prepare().0);
    let worker = Worker::new(engine.join().0, "w".into(), POOL.into());
    submit(&gateway, "one").await;
    let met = take(&worker).await;
    engine.kill();
    met.lease.lost().await;
    sleep(OUTAGE).await;
    engine.restart();
    let mut next = take(&worker).await;
    sleep(SECOND * 10).await;
    next.log.append(size(100)).await.expect("stored");
    next.lease.hand_back().await.expect("handed back");
    take(&worker).await.lease.hand_back().await.expect("handed back");
    submit(&gateway, "two").await;
    assert_eq!(take(&worker).await.origin.run_id(), "two");
    assert_eq!(
        story(gateway.fleet(), "one").await,
        [
            "accepted",
            "started 1",
            "restarted 2",
            "size 100",
            "restarted 3",
            "failed ERROR_CODE_INTERRUPTED"
        ]
    );
}

/// A process that was suspended finds the answer to an old question, and not a longer lease.
#[tokio::test(start_paused = true)]
async fn lease_is_lost_while_its_worker_is_suspended() {
    let engine = SimulatedEngine::new(1);
    submit(&Gateway::new(engine.prepare().0), "one").await;
    let worker = Worker::new(engine.join().0, "w".into(), POOL.into());
    let taken = take(&worker).await;
    let mut lost = Box::pin(taken.lease.lost());
    assert!(futures::poll!(&mut lost).is_pending(), "it asks");
    sleep(LEASE + SECOND).await;
    timeout(SECOND, lost).await.expect("at once");
}

/// A worker that the engine did not hear keeps the job, and its run ends at the worker that has it.
#[tokio::test(start_paused = true)]
async fn hand_back_without_a_note_takes_no_job_away() {
    let engine = SimulatedEngine::new(1);
    submit(&Gateway::new(engine.prepare().0), "one").await;
    let (fleet, link) = engine.join();
    let drained = Worker::new(fleet, "drained".into(), POOL.into());
    let mut first = take(&drained).await;
    link.cut(true);
    let settlement = first.log.hand_back().await;
    assert_eq!(settlement, Settlement::Lost);
    // The client sends what it has once it is connected again.
    let _ = drained.settle(first.receipt, first.lease, settlement).await;
    let second = take(&Worker::new(engine.join().0, "w".into(), POOL.into())).await;
    link.cut(false);
    let third = Worker::new(engine.join().0, "another".into(), POOL.into());
    let lost = timeout(OUTAGE, second.lease.lost());
    let (lost, third) = tokio::join!(lost, timeout(OUTAGE, take(&third)));
    assert!(lost.is_err() && third.is_err(), "the second worker has the job");
}

/// A hand-back that arrives after the next worker has begun takes the job from it. The worker that
/// gets the job then waits until the other one has stopped.
#[tokio::test(start_paused = true)]
async fn late_hand_back_gives_a_run_to_one_worker_at_a_time() {
    let mut late = 0;
    for seed in 1..=8 {
        let engine = SimulatedEngine::new(seed);
        submit(&Gateway::new(engine.prepare().0), "one").await;
        let (fleet, link) = engine.join();
        let drained = Worker::new(fleet, "drained".into(), POOL.into());
        let mut first = take(&drained).await;
        let settlement = first.log.hand_back().await;
        assert_eq!(settlement, Settlement::HandedBack);
        link.cut(true);
        let _ = drained.settle(first.receipt, first.lease, settlement).await;
        let second = take(&Worker::new(engine.join().0, "w".into(), POOL.into())).await;
        link.cut(false);
        let third = Worker::new(engine.join().0, "another".into(), POOL.into());
        let (mut lost, mut third) = (Box::pin(second.lease.lost()), Box::pin(take(&third)));
        tokio::select! {
            biased;
            () = &mut lost => late += 1,
            _ = &mut third => panic!("seed {seed}: two workers have the run"),
            // The connection lost the hand-back.
            () = sleep(OUTAGE) => continue,
        }
        // It renews its lease while it waits.
        timeout(OUTAGE, third).await.expect("it gets the run");
    }
    assert!(late > 0, "a hand-back was late");
}

/// A process that was suspended while it asked for a job finds an old answer, which is no lease.
#[tokio::test(start_paused = true)]
async fn job_that_was_given_to_a_suspended_worker_stays_with_the_next_one() {
    let engine = SimulatedEngine::new(1);
    submit(&Gateway::new(engine.prepare().0), "one").await;
    let (fleet, link) = engine.join();
    let suspended = Worker::new(fleet, "suspended".into(), POOL.into());
    let mut asks = Box::pin(take(&suspended));
    while link.count("fetch") == 0 {
        assert!(futures::poll!(&mut asks).is_pending(), "it asks");
        sleep(Duration::from_millis(1)).await;
    }
    let mut next = take(&Worker::new(engine.join().0, "w".into(), POOL.into())).await;
    let lost = timeout(SECOND, next.lease.lost());
    let (lost, taken) = tokio::join!(lost, timeout(SECOND, asks));
    assert!(lost.is_err() && taken.is_err(), "the next worker has the job");
    next.log.append(report()).await.expect("it is not fenced");
}

/// Neither a drain nor a restart of any process costs a run that had not begun.
#[tokio::test(start_paused = true)]
async fn waiting_run_survives_a_drain_and_restarts() {
    let engine = SimulatedEngine::new(1);
    let (fleet, link) = engine.prepare();
    submit(&Gateway::new(fleet), "one").await;
    // The gateway is killed.
    link.cut(true);
    let draining = Worker::new(engine.join().0, "draining".into(), POOL.into());
    let interrupted = |_: Option<&_>, _| failed(v1::ErrorCode::Interrupted);
    let taken = draining.take(interrupted, std::future::ready(())).await.expect("it asks");
    assert!(taken.is_none(), "it takes no job any more");
    engine.kill();
    sleep(OUTAGE).await;
    engine.restart();
    let another = Gateway::new(engine.prepare().0);
    let mut workers = JoinSet::new();
    workers.spawn(measure(engine.join().0, "w").boxed());
    let story = story(another.fleet(), "one").await;
    assert_eq!(story[..2], ["accepted", "started 1"], "{story:?}");
    assert_eq!((story.len() as u64, story.last().unwrap().as_str()), (3 + SIZES, "finished"));
}
