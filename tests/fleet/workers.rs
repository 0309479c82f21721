//! Workers that are lost, wake up, and are drained.

use crate::scene::{SIZES, Scene, detached, report, split, words};
use profiler_tests::swiftprof::Signal;

/// What is told of a run whose first worker was lost after some sizes.
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

#[tokio::test]
async fn a_killed_worker_is_replaced() {
    let Some(scene) = Scene::set().await else { return };
    let gateway = scene.gateway("one", &[]).await;
    let workers = (scene.worker(&[]).await, scene.worker(&[]).await);
    let run = detached(&gateway.client().await).await.detach();
    let (lost, _heir) = split(workers.0, workers.1).await;
    lost.kill().await;
    check(&gateway.story(&run).await);
}

/// It is stopped for longer than its lease, and wakes while another measures its run.
#[tokio::test]
async fn a_worker_that_wakes_says_nothing_more() {
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
}

#[tokio::test]
async fn a_drained_worker_hands_its_run_back() {
    let Some(scene) = Scene::set().await else { return };
    let gateway = scene.gateway("one", &[]).await;
    let drained = ["--drain", "1ms"];
    let workers = (scene.worker(&drained).await, scene.worker(&drained).await);
    let run = detached(&gateway.client().await).await.detach();
    let (drained, _heir) = split(workers.0, workers.1).await;
    drained.signal(Signal::SIGTERM);
    drained.ended().await;
    check(&gateway.story(&run).await);
}

#[tokio::test]
async fn a_run_that_loses_two_workers_is_interrupted_with_its_sizes() {
    let Some(scene) = Scene::set().await else { return };
    let gateway = scene.gateway("one", &[]).await;
    let drained = ["--drain", "1ms"];
    let first = scene.worker(&drained).await;
    let run = detached(&gateway.client().await).await.detach();
    first.until_logged("measured size=2 ").await;
    first.signal(Signal::SIGTERM);
    first.ended().await;
    let second = scene.worker(&drained).await;
    second.until_logged("measured size=3 ").await;
    second.signal(Signal::SIGTERM);
    second.ended().await;
    let _third = scene.worker(&[]).await;
    let events = gateway.story(&run).await;
    assert_eq!(words(&events).last().expect("an end"), "failed ERROR_CODE_INTERRUPTED");
    let Some(profiler_client::v1::event::Kind::Failed(error)) = &events[events.len() - 1].kind
    else {
        panic!("it failed")
    };
    let partial = error.partial.as_ref().expect("what was measured");
    assert_eq!(partial.sizes.first().map(|size| size.size), Some(1));
    assert!(partial.sizes.len() >= 3, "those of the second worker alone: {}", partial.sizes.len());
    assert!(partial.sizes.is_sorted_by_key(|size| size.size));
}
