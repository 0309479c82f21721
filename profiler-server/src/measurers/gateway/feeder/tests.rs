//! A gateway over a simulated engine that loses its streams, under the paused clock.

use super::{MAX_EARLIER, MAX_ENTRIES, beginning};
use crate::config::Config;
use crate::measurers::gateway::waiting::Engine;
use crate::measurers::gateway::{FleetGateway, Started};
use crate::runs::Progress;
use crate::store::{Store, Viewer};
use crate::telemetry::metrics::Metrics;
use profiler_fleet::simulated::{Backup, SimulatedEngine};
use profiler_fleet::{Gateway, NewRun, Origin, Roster, RunLog, Submitted};
use profiler_proto::v1::{self, ErrorCode, event::Kind};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Time within which a caller hears of a loss, and the gateway works again.
const SECONDS: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(10);

struct Scene {
    engine: SimulatedEngine,
    store: Store,
    started: Started,
    /// Another gateway.
    elsewhere: Gateway,
}

impl Scene {
    fn set() -> Self {
        let engine = SimulatedEngine::new(1);
        let first = Ok(Gateway::new(engine.prepare().0));
        let gateway = FleetGateway { engine: Engine::default(), first, roster: Roster::default() };
        let store = Store::in_memory().expect("a store");
        let started = gateway.start(store.clone(), Metrics::new("fleet"), &Config::default());
        let elsewhere = Gateway::new(engine.prepare().0);
        Self { engine, store, started, elsewhere }
    }

    /// Submits a run elsewhere, and waits until this gateway has stored it.
    async fn accept(&self, run_id: &str) {
        let run = Some(v1::Run { run_id: run_id.into(), ..v1::Run::default() });
        let origin = Origin { run, pool: "pool".into(), ..Origin::default() };
        let (job, defaults) = (Vec::new(), Vec::new());
        let new = NewRun { origin, job, defaults, queue_position: 0 };
        let submitted = self.elsewhere.submit(new).await;
        assert!(matches!(submitted, Ok(Submitted::Run(_))), "{submitted:?}");
        while self.store.run(run_id, &Viewer::Everyone).await.expect("read").is_none() {
            sleep(POLL).await;
        }
    }

    /// Lets the engine fail, and waits until the caller of a run hears of it, and health is well
    /// again.
    async fn loses(&self, run_id: &str, fail: impl AsyncFnOnce(&Self)) {
        let attached = self.started.runs.attach(run_id.into(), Viewer::Everyone).await;
        let mut progress = attached.expect("it is live").progress;
        let mut health = self.started.health.clone();
        health.wait_for(Result::is_ok).await.expect("it goes on");
        fail(self).await;
        let told = health.wait_for(|health| {
            health.as_ref().is_err_and(|fault| fault.to_string().contains("has lost the logs"))
        });
        assert!(told.await.is_ok(), "it says so");
        let ended = progress.wait_for(|progress| matches!(progress, Progress::Ended(_)));
        assert!(ended.await.is_ok(), "the caller hears of it");
        health.wait_for(Result::is_ok).await.expect("it goes on");
        let row = self.store.run(run_id, &Viewer::Everyone).await.expect("read").expect("kept");
        assert!(row.ended_time.is_some());
        let events = self.store.events(run_id, 0, u32::MAX).await.expect("read");
        let failed = events.iter().filter_map(|event| match &event.kind {
            Some(Kind::Failed(error)) => Some(error.code()),
            _ => None,
        });
        assert_eq!(failed.collect::<Vec<_>>(), [ErrorCode::Interrupted]);
    }
}

/// Lets the engine of a gateway fail, and tries whether the next run is measured.
async fn survives(fail: impl AsyncFnOnce(&Scene)) {
    let scene = Scene::set();
    scene.accept("one").await;
    timeout(SECONDS, scene.loses("one", fail)).await.expect("within seconds");
    timeout(SECONDS, scene.accept("two")).await.expect("within seconds");
}

#[tokio::test(start_paused = true)]
async fn streams_that_are_lost_are_made_again() {
    survives(async |scene| scene.engine.restore(None)).await;
}

#[tokio::test(start_paused = true)]
async fn logs_that_another_gateway_made_again_are_recognized() {
    survives(async |scene| {
        scene.engine.restore(None);
        scene.elsewhere.make_streams().await.expect("made");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn queue_that_is_lost_is_made_again() {
    survives(async |scene| scene.engine.lose(true)).await;
}

/// The restored log has the run, whose later events are lost. It has one ending everywhere.
#[tokio::test(start_paused = true)]
async fn backup_that_was_restored_is_recognized() {
    let scene = Scene::set();
    scene.accept("one").await;
    let backup: Backup = scene.engine.back_up();
    let fleet = scene.elsewhere.fleet();
    let mut log = RunLog::open(fleet, "one", "w").await.expect("opened");
    let started = v1::Started { attempt: 1, ..v1::Started::default() };
    log.append(Kind::Started(started)).await.expect("stored");
    sleep(Duration::from_secs(1)).await;
    let fails = scene.loses("one", async |scene| scene.engine.restore(Some(backup)));
    timeout(SECONDS, fails).await.expect("within seconds");
    let ended = async {
        loop {
            let events = fleet.events_of("one").await.expect("read");
            let last = events.last().expect("an event").event.clone();
            if let Some(Kind::Failed(error)) = last.kind {
                return error.code();
            }
            sleep(POLL).await;
        }
    };
    let code = timeout(SECONDS, ended).await.expect("within seconds");
    assert_eq!(code, ErrorCode::Interrupted, "no worker measures it again");
    timeout(SECONDS, scene.accept("two")).await.expect("within seconds");
}

/// A gateway reads what its store keeps, and every live run.
#[tokio::test(start_paused = true)]
async fn first_start_does_not_read_the_whole_log() {
    let scene = Scene::set();
    scene.accept("one").await;
    let fleet = scene.elsewhere.fleet();
    let last = 3 * MAX_EARLIER;
    let begins = async |store: &Store| beginning(fleet, store, last).await.expect("it answers");
    assert_eq!(begins(&Store::in_memory().expect("a store")).await, 0, "it keeps all runs");
    assert_eq!(begins(&Store::keeping(2)).await, 0, "a run is live");
    let origin = fleet.origin_of("one").await.expect("read").expect("known");
    let failed = v1::SandboxError::default;
    let code = ErrorCode::Cancelled;
    scene.elsewhere.cancel("one", origin.job_sequence, code, failed).await.expect("cancelled");
    assert_eq!(begins(&Store::keeping(2)).await, last - MAX_EARLIER, "no run is live");
    assert_eq!(begins(&Store::keeping(300)).await, last - 300 * MAX_ENTRIES);
}

/// A server that restarts is no loss.
#[tokio::test(start_paused = true)]
async fn engine_that_restarts_has_lost_nothing() {
    let scene = Scene::set();
    scene.accept("one").await;
    scene.engine.kill();
    sleep(SECONDS).await;
    scene.engine.restart();
    sleep(SECONDS).await;
    assert_eq!(scene.store.live().await.expect("read"), ["one"]);
}
