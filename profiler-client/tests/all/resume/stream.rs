//! Streams that break; each event must still come exactly once.

use crate::resume::scene::{RUN, Scene, event, finished, heartbeat, measured, numbers, reading};
use profiler_client::Error;
use profiler_client::v1::event::Kind;
use profiler_client::v1::{ErrorCode, Event, ProfileReport, SandboxError};
use prost::Message;
use std::time::Duration;
use tokio::time::advance;
use tokio_stream::StreamExt as _;
use tonic::{Code, Status};

/// The profiler counts as gone after this silence.
const SILENCE: Duration = Duration::from_secs(20);
/// The longest silence after which it does not.
const NOT_YET: Duration = Duration::from_millis(19_990);
/// Time for which the client resumes a broken stream.
const OUTAGE: Duration = Duration::from_secs(30);
/// A moment of the paused clock.
const MOMENT: Duration = Duration::from_millis(10);

/// The profiler's status for an unknown run.
fn unknown() -> Status {
    Status::not_found("no such run")
}

#[tokio::test(start_paused = true)]
async fn stream_that_breaks_off_is_taken_up() {
    let ends = [
        None,
        Some(Status::aborted("the watcher does not read")),
        Some(Status::unavailable("shutting down")),
    ];
    for end in ends {
        let mut scene = Scene::new().await;
        let (run, events) = scene.accepted().await;
        let read = reading(run);
        events.send(Ok(measured(2))).await.unwrap();
        if let Some(status) = end {
            events.send(Err(status)).await.unwrap();
        }
        drop(events);
        let answer = scene.watch(2).await;
        answer.all(vec![measured(3), finished(4)]).await;
        let (read, end) = read.await.unwrap();
        assert_eq!((numbers(&read), end.is_ok()), (vec![1, 2, 3, 4], true), "{end:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn connection_that_breaks_is_made_again() {
    let mut scene = Scene::new().await;
    let (mut run, _events) = scene.accepted().await;
    run.next().await.unwrap();
    scene.line.cut().await;
    let read = reading(run);
    for _ in 0..3 {
        let after = scene.notice().await;
        advance(after + MOMENT).await;
    }
    scene.line.mend().await;
    scene.watch(1).await.all(vec![measured(2), finished(3)]).await;
    assert_eq!(numbers(&read.await.unwrap().0), [2, 3]);
}

#[tokio::test(start_paused = true)]
async fn run_is_a_stream_of_its_events() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    let read = tokio::spawn(run.collect::<Result<Vec<profiler_client::Event>, Error>>());
    events.send(Ok(measured(2))).await.unwrap();
    drop(events);
    scene.watch(2).await.all(vec![measured(3), finished(4)]).await;
    assert_eq!(numbers(&read.await.unwrap().unwrap()), [1, 2, 3, 4]);
}

#[tokio::test(start_paused = true)]
async fn stream_of_events_ends_after_an_error() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    events.send(Ok(measured(3))).await.unwrap();
    let read = run.collect::<Vec<_>>().await;
    assert!(matches!(read.as_slice(), [Ok(_), Err(Error::Gap { after: 1, found: 3 })]), "{read:?}");
}

#[tokio::test(start_paused = true)]
async fn silence_ends_a_connection() {
    let mut scene = Scene::new().await;
    let (mut run, _events) = scene.accepted().await;
    run.next().await.unwrap();
    scene.line.stall();
    let read = reading(run);
    advance(SILENCE).await;
    // The stalled connection never sends anything again.
    scene.watch(1).await.all(vec![finished(2)]).await;
    assert_eq!(numbers(&read.await.unwrap().0), [2]);
}

#[tokio::test(start_paused = true)]
async fn heartbeat_breaks_the_silence() {
    let mut scene = Scene::new().await;
    let (mut run, events) = scene.accepted().await;
    run.next().await.unwrap();
    for _ in 0..3 {
        scene.pass(NOT_YET).await;
        events.send(Ok(heartbeat(1))).await.unwrap();
        let alive = run.next().await.unwrap().unwrap();
        assert!(matches!(alive.kind, Kind::Heartbeat(_)), "{alive:?}");
    }
    events.send(Ok(finished(2))).await.unwrap();
    drop(events);
    run.wait().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn watch_that_is_not_answered_is_asked_for_again() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    let read = reading(run);
    drop(events);
    let _unanswered = scene.watch(1).await;
    advance(SILENCE / 2).await;
    scene.watch(1).await.all(vec![finished(2)]).await;
    assert_eq!(numbers(&read.await.unwrap().0), [1, 2]);
}

#[tokio::test(start_paused = true)]
async fn delivered_event_is_not_delivered_again() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    let read = reading(run);
    for sequence in [2, 2, 1, 3] {
        events.send(Ok(measured(sequence))).await.unwrap();
    }
    drop(events);
    let again = (1..=4).map(measured).chain([heartbeat(3), heartbeat(4), finished(5)]).collect();
    scene.watch(3).await.all(again).await;
    assert_eq!(numbers(&read.await.unwrap().0), [1, 2, 3, 4, 4, 5]);
}

/// An event of a kind that only a later version has.
#[derive(Clone, PartialEq, prost::Message)]
struct Later {
    #[prost(uint64, tag = "2")]
    sequence: u64,
    #[prost(string, tag = "1000")]
    kind: String,
}

fn later(sequence: u64) -> Event {
    let later = Later { sequence, kind: "measured on another host".into() };
    Event::decode(later.encode_to_vec().as_slice()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn event_of_a_later_version_is_passed_over() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    let read = reading(run);
    events.send(Ok(later(2))).await.unwrap();
    events.send(Ok(measured(3))).await.unwrap();
    events.send(Ok(later(4))).await.unwrap();
    drop(events);
    // It counts for the number after which the client resumes, and comes once.
    scene.watch(4).await.all(vec![later(4), later(5), finished(6)]).await;
    assert_eq!(numbers(&read.await.unwrap().0), [1, 3, 6]);
}

#[tokio::test(start_paused = true)]
async fn gap_is_an_error() {
    for behind in [measured(3), heartbeat(2), finished(7), later(3)] {
        let mut scene = Scene::new().await;
        let (run, events) = scene.accepted().await;
        let found = behind.sequence;
        events.send(Ok(behind)).await.unwrap();
        let (read, end) = reading(run).await.unwrap();
        assert_eq!(numbers(&read), [1]);
        assert!(matches!(end, Err(Error::Gap { after: 1, found: f }) if f == found), "{end:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn run_that_the_profiler_lost_is_not_run_again() {
    let mut scene = Scene::new().await;
    let (mut run, events) = scene.accepted().await;
    run.next().await.unwrap();
    let client = scene.client.clone();
    let next = tokio::spawn(async move {
        let next = run.next().await;
        run.detach();
        // Anything that it had sent would have arrived before this.
        client.run(RUN).await.unwrap();
        next
    });
    drop(events);
    scene.watch(1).await.refuse(unknown());
    let call = scene.call().await;
    assert!(matches!(call, crate::resume::server::Call::Get), "{call:?}");
    let Err(Error::Status(status)) = next.await.unwrap() else { panic!("it goes on") };
    assert_eq!(status.code(), Code::NotFound);
}

#[tokio::test(start_paused = true)]
async fn outage_comes_to_an_end() {
    let mut scene = Scene::new().await;
    let (run, _events) = scene.accepted().await;
    scene.line.cut().await;
    let (read, end) = scene.until(reading(run)).await.unwrap();
    assert!(matches!(end, Err(Error::Lost(_))), "{end:?}");
    assert_eq!(numbers(&read), [1]);
    let lasted = scene.elapsed();
    assert!(lasted < OUTAGE && lasted > OUTAGE * 3 / 4, "{lasted:?}");
}

#[tokio::test(start_paused = true)]
async fn streams_that_open_only_to_break_are_one_outage() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    let read = reading(run);
    drop(events);
    while scene.elapsed() < OUTAGE / 2 {
        scene.watch(1).await.all(vec![]).await;
    }
    scene.line.cut().await;
    let (_, end) = scene.until(read).await.unwrap();
    assert!(matches!(end, Err(Error::Lost(_))), "{end:?}");
    assert!(scene.elapsed() < OUTAGE, "{:?}", scene.elapsed());
}

#[tokio::test(start_paused = true)]
async fn message_ends_an_outage() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    let read = reading(run);
    drop(events);
    while scene.elapsed() < OUTAGE * 2 {
        scene.watch(1).await.all(vec![heartbeat(1)]).await;
        let after = scene.notice().await;
        advance(after + OUTAGE / 4).await;
    }
    scene.watch(1).await.all(vec![finished(2)]).await;
    assert!(read.await.unwrap().1.is_ok());
}

#[tokio::test(start_paused = true)]
async fn reader_that_is_dropped_meanwhile_misses_nothing() {
    let mut scene = Scene::new().await;
    let (mut run, events) = scene.accepted().await;
    let mut read = Vec::new();
    let script = tokio::spawn(async move {
        events.send(Ok(measured(2))).await.unwrap();
        drop(events);
        scene.watch(2).await.all(vec![measured(3)]).await;
        scene.watch(3).await.all(vec![measured(4), finished(5)]).await;
        scene
    });
    loop {
        let next = tokio::select! {
            biased;
            next = run.next() => next.unwrap(),
            () = tokio::task::yield_now() => continue,
        };
        match next {
            Some(event) => read.push(event),
            None => break,
        }
    }
    assert_eq!(numbers(&read), [1, 2, 3, 4, 5]);
    drop(script.await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn run_that_a_crash_interrupted_has_what_was_measured() {
    let mut scene = Scene::new().await;
    let (run, _events) = scene.accepted().await;
    let waiting = tokio::spawn(run.wait());
    scene.line.cut().await;
    scene.line.mend().await;
    let partial = Some(ProfileReport { input_sizes: vec![1, 10], ..ProfileReport::default() });
    let error =
        SandboxError { code: ErrorCode::Interrupted.into(), partial, ..SandboxError::default() };
    let interrupted = event(2, Kind::Failed(error.clone()));
    scene.watch(1).await.all(vec![interrupted]).await;
    let Err(Error::Sandbox(ended)) = waiting.await.unwrap() else { panic!("a report") };
    assert_eq!(*ended, error);
}

#[tokio::test(start_paused = true)]
async fn status_behind_the_last_event_is_told_once() {
    let mut scene = Scene::new().await;
    let (run, events) = scene.accepted().await;
    events.send(Ok(finished(2))).await.unwrap();
    events.send(Err(Status::unavailable("shutting down"))).await.unwrap();
    let mut run = run;
    run.next().await.unwrap();
    run.next().await.unwrap();
    let told = run.next().await;
    assert!(matches!(told, Err(Error::Unavailable { .. })), "{told:?}");
    assert_eq!(run.next().await.unwrap(), None);
}

#[tokio::test(start_paused = true)]
async fn run_that_is_attached_to_goes_on_from_there() {
    let mut scene = Scene::new().await;
    let client = scene.client.clone();
    let attached = tokio::spawn(async move { client.attach(RUN, 3).await });
    let events = scene.watch(3).await.stream(vec![measured(4)]).await;
    let read = reading(attached.await.unwrap().unwrap());
    drop(events);
    scene.watch(4).await.all(vec![finished(5)]).await;
    assert_eq!(numbers(&read.await.unwrap().0), [4, 5]);
}
