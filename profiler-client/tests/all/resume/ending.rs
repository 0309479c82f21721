//! Disconnects of a caller that end a run, and those that do not.

use crate::resume::scene::{RUN, Scene, finished};
use crate::resume::server::Call;
use profiler_client::v1::{Job, OnDisconnect};
use std::time::Duration;

/// The first call after the messages of a dropped run.
async fn next_call(scene: &mut Scene) -> Call {
    let client = scene.client.clone();
    tokio::spawn(async move { client.run(RUN).await });
    scene.call().await
}

#[tokio::test(start_paused = true)]
async fn run_that_is_dropped_is_cancelled() {
    let mut scene = Scene::new().await;
    let (run, _events) = scene.accepted().await;
    drop(run);
    let call = next_call(&mut scene).await;
    assert!(matches!(&call, Call::Cancel(run_id) if run_id == RUN), "{call:?}");
}

#[tokio::test(start_paused = true)]
async fn run_whose_time_is_up_is_cancelled() {
    let mut scene = Scene::new().await;
    scene.client = scene.client.with_run_timeout(Duration::from_secs(3));
    let (run, _events) = scene.accepted().await;
    let waiting = tokio::spawn(run.wait());
    tokio::time::advance(Duration::from_secs(3)).await;
    assert!(waiting.await.unwrap().is_err());
    let call = next_call(&mut scene).await;
    assert!(matches!(call, Call::Cancel(_)), "{call:?}");
}

#[tokio::test(start_paused = true)]
async fn run_that_is_over_is_left_alone() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    events.send(Ok(finished(2))).await.unwrap();
    drop(events);
    run.wait().await.unwrap();
    let call = next_call(&mut scene).await;
    assert!(matches!(call, Call::Get), "{call:?}");
}

#[tokio::test(start_paused = true)]
async fn run_that_is_left_goes_on() {
    let mut scene = Scene::new().await;
    let (run, _events) = scene.accepted().await;
    assert_eq!(run.detach(), RUN);
    let call = next_call(&mut scene).await;
    assert!(matches!(call, Call::Get), "{call:?}");
}

#[tokio::test(start_paused = true)]
async fn run_of_its_own_goes_on() {
    let mut scene = Scene::new().await;
    let job = Job { on_disconnect: OnDisconnect::Detach.into(), ..Job::default() };
    drop(scene.accepted_as(job).await);
    let call = next_call(&mut scene).await;
    assert!(matches!(call, Call::Get), "{call:?}");
}

#[tokio::test(start_paused = true)]
async fn run_that_was_attached_to_goes_on() {
    let mut scene = Scene::new().await;
    let client = scene.client.clone();
    let attached = tokio::spawn(async move { client.attach(RUN, 0).await });
    let _events = scene.watch(0).await.stream(vec![]).await;
    drop(attached.await.unwrap().unwrap());
    let call = next_call(&mut scene).await;
    assert!(matches!(call, Call::Get), "{call:?}");
}

#[tokio::test(start_paused = true)]
async fn cancellation_waits_for_the_connection() {
    let mut scene = Scene::new().await;
    let (run, _events) = scene.accepted().await;
    scene.line.cut().await;
    drop(run);
    let after = scene.notice().await;
    scene.line.mend().await;
    tokio::time::advance(after * 2).await;
    let call = scene.call().await;
    assert!(matches!(call, Call::Cancel(_)), "{call:?}");
}

#[tokio::test(start_paused = true)]
async fn pages_of_runs_are_asked_for_by_their_token() {
    let scene = Scene::new().await;
    let first = scene.client.runs("").await.unwrap();
    let second = scene.client.runs(&first.next_page_token).await.unwrap();
    let names = [first, second].map(|page| page.runs[0].run_id.clone());
    assert_eq!(names, ["behind \"\"", "behind \"next\""]);
}
