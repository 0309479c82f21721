//! Workers that are lost, wake up, and are drained.

use crate::scene::{FAKE_CALIBRATION_MS, PATIENCE, SIZES, Scene, detached, report, split, words};
use profiler_client::v1::event::Kind;
use profiler_test_support::wait::until;
use profiler_tests::swiftprof::Signal;

/// Checks the events of a run whose first worker was lost after some sizes.
fn check(events: &[profiler_client::v1::Event]) {
    let told = words(events);
    let again = told.iter().position(|word| word == "restarted 2").expect("it began again");
    assert_eq!(told[..2], ["accepted", "started 1"], "{told:?}");
    let sizes: Vec<_> = SIZES.iter().map(|size| format!("size {size}")).collect();
    let whole = [&["compiled".to_owned()], &sizes[..], &["finished".to_owned()]].concat();
    assert_eq!(told[again + 1..], whole, "the second worker begins anew");
    let measured: Vec<_> = report(events).sizes.iter().map(|size| size.size).collect();
    assert_eq!(measured, SIZES, "no curve of two hosts");
}

/// A worker is stopped for longer than its lease, and wakes while another measures its run.
#[tokio::test]
async fn worker_that_wakes_says_nothing_more() {
    let Some(scene) = Scene::set().await else { return };
    let (gateway, elsewhere) = (scene.gateway("one", &[]).await, scene.gateway("two", &[]).await);
    let workers = (scene.worker(&[]).await, scene.worker(&[]).await);
    let run = detached(&gateway.client().await).await.detach();
    let (zombie, heir) = split(workers.0, workers.1).await;
    zombie.signal(Signal::SIGSTOP);
    heir.until_compiled().await;
    zombie.signal(Signal::SIGCONT);
    zombie.until_logged("the run is another worker's").await;
    let events = gateway.story(&run).await;
    check(&events);
    assert_eq!(elsewhere.story(&run).await, events, "both gateways tell the same");
    gateway.until_logged("a run begins again").await;
}

/// However often a run is handed back, no worker was lost.
#[tokio::test]
async fn drained_workers_hand_their_run_back() {
    let Some(scene) = Scene::set().await else { return };
    let gateway = scene.gateway("one", &[]).await;
    let mut worker = scene.worker(&["--drain", "1ms"]).await;
    let run = detached(&gateway.client().await).await.detach();
    for _ in 0..3 {
        worker.until_measured(&run).await;
        worker.signal(Signal::SIGTERM);
        worker.ended().await;
        worker = scene.worker(&["--drain", "1ms"]).await;
    }
    let events = gateway.story(&run).await;
    let told = words(&events);
    assert!(told.contains(&"restarted 4".into()), "{told:?}");
    let measured: Vec<_> = report(&events).sizes.iter().map(|size| size.size).collect();
    assert_eq!(measured, SIZES, "no curve of two hosts");
    let why = events.iter().find_map(|event| match &event.kind {
        Some(Kind::Restarted(restarted)) => Some(restarted.reason.as_str()),
        _ => None,
    });
    assert_eq!(why, Some("the worker that measured it was drained"));
}

#[tokio::test]
async fn run_that_loses_two_workers_is_interrupted_with_its_sizes() {
    let Some(scene) = Scene::set().await else { return };
    let gateway = scene.gateway("one", &[]).await;
    let mut worker = scene.worker(&[]).await;
    let run = detached(&gateway.client().await).await.detach();
    scene.give_out_soon().await;
    for _ in 0..2 {
        worker.until_measured(&run).await;
        worker.kill().await;
        worker = scene.worker(&[]).await;
    }
    let events = gateway.story(&run).await;
    let told = words(&events);
    assert!(told.contains(&"restarted 2".into()), "{told:?}");
    assert_eq!(told.last().expect("an end"), "failed ERROR_CODE_INTERRUPTED");
    let Some(Kind::Failed(error)) = &events[events.len() - 1].kind else { panic!("it failed") };
    let partial = error.partial.as_ref().expect("what was measured");
    assert_eq!(partial.sizes.first().map(|size| size.size), Some(1));
    // The last size that its worker measured may have died with it.
    let sizes = partial.sizes.len();
    assert!((1..SIZES.len()).contains(&sizes), "those of the second worker alone: {sizes}");
    assert!(partial.sizes.is_sorted_by_key(|size| size.size));
}

/// Two hosts are alike, and a third is slower than its pool. A test may state a calibration.
#[tokio::test]
async fn host_that_drifts_leaves_its_pool_and_says_so() {
    let Some(scene) = Scene::set().await else { return };
    let gateway = scene.gateway("one", &[]).await;
    let calibrations = [("a", FAKE_CALIBRATION_MS), ("b", FAKE_CALIBRATION_MS), ("slow", 1.5)];
    for (name, calibration_ms) in calibrations {
        scene.stated_worker(name, calibration_ms).await;
    }
    let shown = async || {
        let workers = scene.workers(calibrations.len()).await;
        let slow = workers.iter().find(|worker| worker["worker"] == "slow")?;
        let why = slow["draining"].as_str()?;
        why.starts_with("it drifted").then(|| why.to_owned())
    };
    let why = until("the slow host has left", PATIENCE, shown).await;
    assert_eq!(why, "it drifted: its calibration takes 1.50 ms, the pool's 1.25 ms");
    let client = gateway.client().await;
    for _ in 0..8 {
        let run = detached(&client).await.detach();
        let events = gateway.story(&run).await;
        let Some(Kind::Started(started)) = &events[1].kind else { panic!("{:?}", events[1]) };
        assert_ne!(started.worker, "slow");
    }
    let workers = scene.workers(calibrations.len()).await;
    let states: Vec<_> = workers.iter().map(|it| it["draining"] == "").collect();
    assert_eq!(states, [true, true, false], "the others stay: {workers:?}");
}
