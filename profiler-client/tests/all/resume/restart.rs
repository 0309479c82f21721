//! A fleet restarts a run whose worker was lost: the sizes before `restarted` are void.

use crate::resume::scene::{Scene, event};
use profiler_client::Run;
use profiler_client::v1::event::Kind;
use profiler_client::v1::{self, ProfileReport, Restarted, SizeResult, Started};
use tokio::task::JoinHandle;

fn started(sequence: u64) -> v1::Event {
    let worker = "node-1".into();
    event(sequence, Kind::Started(Started { attempt: 1, worker, ..Started::default() }))
}

fn restarted(sequence: u64) -> v1::Event {
    let reason = "the worker is gone".into();
    let worker = "node-2".into();
    let again = Restarted { attempt: 2, reason, worker, ..Restarted::default() };
    event(sequence, Kind::Restarted(again))
}

fn measured(sequence: u64, size: u64) -> v1::Event {
    event(sequence, Kind::SizeMeasured(SizeResult { size, ..SizeResult::default() }))
}

/// The end, with a report of these sizes.
fn finished(sequence: u64, input_sizes: &[u64]) -> v1::Event {
    let input_sizes = input_sizes.to_vec();
    event(sequence, Kind::Finished(ProfileReport { input_sizes, ..ProfileReport::default() }))
}

/// State after an event: its number, the sizes, and those of the report.
type Known = (u64, Vec<u64>, Option<Vec<u64>>);

/// Reads a run to its end in the background.
fn following(mut run: Run) -> JoinHandle<Vec<Known>> {
    tokio::spawn(async move {
        let mut known = Vec::new();
        while let Some(event) = run.next().await.unwrap() {
            let report = match event.kind {
                Kind::Finished(report) => Some(report.input_sizes),
                _ => None,
            };
            let sizes = run.sizes().iter().map(|size| size.size).collect();
            known.push((event.sequence, sizes, report));
        }
        known
    })
}

#[tokio::test(start_paused = true)]
async fn sizes_before_a_restart_are_dropped() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    let all = vec![started(2), measured(3, 10), restarted(4), measured(5, 20), finished(6, &[20])];
    for event in all {
        events.send(Ok(event)).await.unwrap();
    }
    drop(events);
    let expected = [
        (1, vec![], None),
        (2, vec![], None),
        (3, vec![10], None),
        (4, vec![], None),
        (5, vec![20], None),
        (6, vec![20], Some(vec![20])),
    ];
    assert_eq!(following(run).await.unwrap(), expected);
}

/// The gateway is lost together with the worker, so the stream breaks on both sides of `restarted`.
#[tokio::test(start_paused = true)]
async fn numbers_go_on_over_a_restart_on_another_stream() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    let known = following(run);
    events.send(Ok(started(2))).await.unwrap();
    events.send(Ok(measured(3, 10))).await.unwrap();
    drop(events);
    scene.watch(3).await.all(vec![restarted(4)]).await;
    scene.watch(4).await.all(vec![measured(5, 20), finished(6, &[20])]).await;
    let known = known.await.unwrap();
    assert_eq!(known.iter().map(|it| it.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(known[2].1, [10]);
    assert_eq!(
        known[3..],
        [(4, vec![], None), (5, vec![20], None), (6, vec![20], Some(vec![20])),]
    );
}

/// Only the first delivery of `restarted` counts: the sizes after it are those of the last attempt.
#[tokio::test(start_paused = true)]
async fn restart_that_is_told_again_drops_nothing() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    let known = following(run);
    for event in [started(2), restarted(3), measured(4, 20)] {
        events.send(Ok(event)).await.unwrap();
    }
    drop(events);
    let again = vec![restarted(3), measured(4, 20), measured(5, 30), finished(6, &[20, 30])];
    scene.watch(4).await.all(again).await;
    let last = known.await.unwrap().pop();
    assert_eq!(last, Some((6, vec![20, 30], Some(vec![20, 30]))));
}

#[tokio::test(start_paused = true)]
async fn report_of_the_last_attempt_is_the_result() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    let waiting = tokio::spawn(run.wait());
    events.send(Ok(measured(2, 10))).await.unwrap();
    drop(events);
    scene.watch(2).await.all(vec![restarted(3), measured(4, 20), finished(5, &[20])]).await;
    assert_eq!(waiting.await.unwrap().unwrap().input_sizes, [20]);
}
