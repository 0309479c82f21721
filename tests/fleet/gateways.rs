//! Gateways: any of them tells all of a run, cancels it, and may be killed.

use crate::scene::{SIZES, Scene, detached, job, report, words};
use profiler_client::Error;
use profiler_client::v1::event::Kind;
use profiler_client::v1::{ErrorCode, Job, OnDisconnect, OtherProgram, ProfileRequest};
use profiler_test_support::wait::until;
use std::time::Duration;

const PATIENCE: Duration = crate::scene::PATIENCE;

#[tokio::test]
async fn run_is_the_same_at_every_gateway() {
    let Some(scene) = Scene::set().await else { return };
    let (one, two) = (scene.gateway("one", &[]).await, scene.gateway("two", &[]).await);
    let worker = scene.worker(&[]).await;
    let (here, there) = (one.client().await, two.client().await);
    let job = Job { request_id: "the same".into(), ..job() };
    let run = here.submit(job.clone()).await.expect("accepted").detach();
    let mut again = job.clone();
    // The profiler does not use this field.
    again.code.as_mut().expect("a program").model_version = Some("another".into());
    assert_eq!(there.submit(again).await.expect("known").detach(), run);
    let mut other = Job { input_sizes: vec![1], ..job };
    other.on_disconnect = OnDisconnect::Detach.into();
    let refused = there.submit(other).await.expect_err("another job");
    assert!(refused.to_string().contains("belongs to another job"), "{refused}");
    let events = one.story(&run).await;
    let sizes: Vec<_> = SIZES.iter().map(|size| format!("size {size}")).collect();
    let begin = ["accepted", "started 1", "compiled"].map(String::from);
    assert_eq!(words(&events), [&begin[..], &sizes[..], &["finished".into()]].concat());
    assert_eq!(two.story(&run).await, events);
    let host = report(&events).host.as_ref().expect("a host");
    assert!(host.name.as_ref().is_some_and(|name| !name.is_empty()), "{host:?}");
    worker.until_logged(host.fingerprint.as_ref().expect("the pool")).await;
    // The next one goes where this one was.
    let next =
        Job { same_pool_as: run, ..Job { request_id: String::new(), ..crate::scene::job() } };
    let next = there.submit(next).await.expect("accepted").wait().await.expect("a report");
    assert_eq!(next.host.expect("a host").fingerprint, host.fingerprint);
}

/// Two programs are measured in turns in one run, so on one host.
#[tokio::test]
async fn comparison_is_one_run() {
    let Some(scene) = Scene::set().await else { return };
    let gateway = scene.gateway("one", &[]).await;
    let _workers = (scene.worker(&["--host", "a"]).await, scene.worker(&["--host", "b"]).await);
    let code_cpp = job().code.expect("a program").code_cpp;
    let against = Some(OtherProgram { code_cpp, ..OtherProgram::default() });
    let compared = Job { input_sizes: vec![1], against, ..job() };
    let run = gateway.client().await.submit(compared).await.expect("accepted");
    let report = run.wait().await.expect("a report");
    let host = report.host.as_ref().and_then(|host| host.name.clone()).expect("a name");
    assert!(["a", "b"].contains(&host.as_str()), "{host}");
    let turns = report.turns.iter().map(|turn| turn.host.as_ref().and_then(|it| it.name.clone()));
    assert_eq!(turns.collect::<Vec<_>>(), vec![Some(host); 3]);
}

#[tokio::test]
async fn any_gateway_cancels_what_waits_and_what_runs() {
    let Some(scene) = Scene::set().await else { return };
    let (one, two) = (scene.gateway("one", &[]).await, scene.gateway("two", &[]).await);
    let worker = scene.worker(&[]).await;
    let (here, there) = (one.client().await, two.client().await);
    let running = detached(&here).await.detach();
    worker.until_logged("measured size=1 ").await;
    let waiting = detached(&here).await.detach();
    for run in [&waiting, &running] {
        let seen = async || there.run(run).await.ok();
        until("the other gateway knows it", PATIENCE, seen).await;
        there.cancel(run).await.expect("cancelled");
    }
    assert_eq!(words(&two.story(&waiting).await), ["accepted", "failed ERROR_CODE_CANCELLED"]);
    let told = words(&two.story(&running).await);
    assert_eq!(told.last().expect("an end"), "failed ERROR_CODE_CANCELLED");
    let late = there.cancel(&running).await.expect_err("it has ended");
    assert!(late.to_string().contains("there is no live run"), "{late}");
}

/// Nobody holds the run any more, so nobody wants it.
#[tokio::test]
async fn caller_that_goes_away_ends_its_run() {
    let Some(scene) = Scene::set().await else { return };
    let (one, two) = (scene.gateway("one", &[]).await, scene.gateway("two", &[]).await);
    let worker = scene.worker(&[]).await;
    let client = one.client().await;
    let job = Job { on_disconnect: OnDisconnect::Cancel.into(), ..job() };
    let run = client.submit(job).await.expect("accepted");
    let run_id = run.id().to_owned();
    worker.until_logged("measured size=1 ").await;
    drop((run, client));
    let told = words(&two.story(&run_id).await);
    assert_eq!(told.last().expect("an end"), "failed ERROR_CODE_CANCELLED");
}

#[tokio::test]
async fn gateway_that_is_killed_leaves_its_runs_to_the_fleet() {
    let Some(scene) = Scene::set().await else { return };
    let (one, two) = (scene.gateway("one", &[]).await, scene.gateway("two", &[]).await);
    let worker = scene.worker(&[]).await;
    let run = detached(&one.client().await).await.detach();
    worker.until_logged("measured size=1 ").await;
    one.kill().await;
    let events = two.story(&run).await;
    report(&events);
    let again = scene.gateway("one", &[]).await;
    assert_eq!(again.story(&run).await, events, "it reads what it missed");
}

#[tokio::test]
async fn engine_that_is_killed_delays_and_loses_nothing() {
    let Some(mut scene) = Scene::set().await else { return };
    let gateway = scene.gateway("one", &[]).await;
    let worker = scene.worker(&[]).await;
    let run = detached(&gateway.client().await).await.detach();
    worker.until_logged("measured size=1 ").await;
    scene.engines[0].kill().await;
    gateway.until_logged("the engine is lost").await;
    scene.engines[0].restart().await;
    gateway.until_logged("the engine is back after").await;
    let told = words(&gateway.story(&run).await);
    assert!(!told.iter().any(|word| word.starts_with("restarted")), "{told:?}");
    assert_eq!(told.last().expect("an end"), "finished");
}

/// Whichever of three servers is lost, nothing is, and no worker begins again.
#[tokio::test]
async fn one_server_of_three_may_be_lost() {
    let Some(mut scene) = Scene::set_with_three_servers().await else { return };
    let gateway = scene.gateway("one", &[]).await;
    let worker = scene.worker(&[]).await;
    for lost in 0..scene.engines.len() {
        let run = detached(&gateway.client().await).await.detach();
        worker.until_measured(&run).await;
        scene.engines[lost].kill().await;
        let told = words(&gateway.story(&run).await);
        assert!(!told.iter().any(|word| word.starts_with("restarted")), "{told:?}");
        assert_eq!(told.last().expect("an end"), "finished");
        scene.engines[lost].restart().await;
        scene.engines[lost].until_healthy().await;
    }
}

/// A run deleted at one gateway exists at none.
#[tokio::test]
async fn deletion_reaches_every_gateway() {
    let Some(scene) = Scene::set().await else { return };
    let (one, two) = (scene.gateway("one", &[]).await, scene.gateway("two", &[]).await);
    let _worker = scene.worker(&[]).await;
    let (here, there) = (one.client().await, two.client().await);
    let job = Job { input_sizes: vec![1], request_id: "again".into(), ..job() };
    let run = here.submit(job.clone()).await.expect("accepted").detach();
    assert!(here.delete(&run).await.is_err(), "it is live");
    report(&two.story(&run).await);
    here.delete(&run).await.expect("deleted");
    let gone = async || there.run(&run).await.is_err().then_some(());
    until("the other gateway has forgotten it", PATIENCE, gone).await;
    let late = scene.gateway("late", &[]).await;
    let again = late.client().await.submit(job).await.expect("accepted").detach();
    assert_ne!(again, run, "its request ID is free");
    report(&late.story(&again).await);
    assert!(late.client().await.run(&run).await.is_err(), "who comes later never hears of it");
}

#[tokio::test]
async fn run_waits_for_the_first_worker() {
    let Some(scene) = Scene::set().await else { return };
    let gateway = scene.gateway("one", &[]).await;
    // It serves without workers.
    let client = gateway.client().await;
    let job = Job { input_sizes: vec![1], ..job() };
    let run = client.submit(job).await.expect("accepted");
    let _worker = scene.worker(&[]).await;
    assert_eq!(run.wait().await.expect("a report").input_sizes, [1]);
}

#[tokio::test]
async fn full_queue_refuses() {
    let Some(scene) = Scene::set().await else { return };
    let gateway = scene.gateway("one", &[("PROFILER_MAX_QUEUED", "1")]).await;
    let _worker = scene.worker(&[]).await;
    let client = gateway.client().await;
    let mut first = detached(&client).await;
    // Until a worker has it, it waits too.
    loop {
        let event = first.next().await.expect("it goes on").expect("it has not ended");
        if matches!(event.kind, Kind::Started(_)) {
            break;
        }
    }
    let second = detached(&client).await;
    // The client would try again until there is room.
    let mut stub = gateway.stub().await;
    let third = stub.profile(ProfileRequest { job: Some(job()) }).await.expect_err("no room");
    assert_eq!(third.code(), tonic::Code::ResourceExhausted, "{third}");
    assert!(third.message().starts_with("the queue is full: 1 of at most 1 runs wait"), "{third}");
    for run in [first, second] {
        run.cancel().await.expect("cancelled");
        let ended = run.wait().await;
        assert!(
            matches!(&ended, Err(Error::Sandbox(error)) if error.code() == ErrorCode::Cancelled),
            "{ended:?}"
        );
    }
}

#[tokio::test]
async fn parts_start_before_their_engine() {
    let Some(mut scene) = Scene::set().await else { return };
    scene.engines[0].kill().await;
    let gateway = scene.gateway("one", &[]).await;
    let _worker = scene.worker(&[]).await;
    let early = profiler_client::Client::connect(gateway.url()).await.expect("it answers");
    let told = early.capabilities().await.expect("it answers");
    assert!(!told.serving && told.not_serving_reason.contains("engine"), "{told:?}");
    scene.engines[0].restart().await;
    let job = Job { input_sizes: vec![1], ..job() };
    let run = gateway.client().await.submit(job).await.expect("accepted");
    assert_eq!(run.wait().await.expect("a report").input_sizes, [1]);
}
