//! Runs whose pool is gone, at a gateway over a simulated engine, under the paused clock.

use crate::config::Config;
use crate::measurers::gateway::stranded::POOL_IS_GONE;
use crate::measurers::gateway::waiting::Engine;
use crate::measurers::gateway::{FleetGateway, Started};
use crate::store::Store;
use crate::telemetry::metrics::Metrics;
use profiler_fleet::simulated::SimulatedEngine;
use profiler_fleet::{Fleet, Gateway, NewRun, Origin, Roster, RunLog, Worker, WorkerState};
use profiler_proto::v1::{self, ErrorCode, event::Kind};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Time after which a run has moved, or has ended.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
const SECOND: Duration = Duration::from_secs(1);

/// A gateway whose fleet has one worker, in the pool `new`.
struct Scene {
    fleet: Fleet,
    _started: Started,
    _worker: JoinSet<()>,
}

impl Scene {
    async fn set() -> Self {
        let engine = SimulatedEngine::new(1);
        let (fleet, _) = engine.prepare();
        let roster = Roster::default();
        roster.listen(&fleet).await.expect("sent");
        let first = Ok(Gateway::new(fleet.clone()));
        let gateway = FleetGateway { engine: Engine::default(), first, roster };
        let store = Store::in_memory().expect("a store");
        let started = gateway.start(store, Metrics::new("fleet"), &Config::default());
        let mut worker = JoinSet::new();
        worker.spawn(async move {
            let there = Worker::new(engine.join().0, "w".into(), "new".into());
            let (worker, pool) = ("w".into(), "new".into());
            let state = WorkerState { worker, pool, cores: 1, ..WorkerState::default() };
            let (_tell, state) = watch::channel(state);
            there.say(state).await.expect("the connection is there");
        });
        Self { fleet, _started: started, _worker: worker }
    }

    /// Submits a run to the pool `gone`.
    async fn submit(&self, is_bound: bool) {
        let run = Some(v1::Run { run_id: "one".into(), ..v1::Run::default() });
        let on_disconnect = v1::OnDisconnect::Detach.into();
        let origin =
            Origin { run, pool: "gone".into(), on_disconnect, is_bound, ..Origin::default() };
        let (job, defaults) = (Vec::new(), Vec::new());
        let new = NewRun { origin, job, defaults, queue_position: 0 };
        Gateway::new(self.fleet.clone()).submit(new).await.expect("accepted");
    }

    /// Waits until the run ends, and returns its error.
    async fn ended(&self) -> v1::SandboxError {
        let ended = async {
            loop {
                let events = self.fleet.events_of("one").await.expect("read");
                if let Some(Kind::Failed(error)) =
                    events.last().and_then(|it| it.event.kind.clone())
                {
                    return error;
                }
                sleep(SECOND).await;
            }
        };
        timeout(PATIENCE, ended).await.expect("in time")
    }
}

#[tokio::test(start_paused = true)]
async fn run_that_waits_moves_to_a_pool_that_is_there() {
    let scene = Scene::set().await;
    scene.submit(false).await;
    let moved = async {
        loop {
            let origin = scene.fleet.origin_of("one").await.expect("read").expect("known");
            if origin.pool == "new" {
                return;
            }
            sleep(SECOND).await;
        }
    };
    timeout(PATIENCE, moved).await.expect("in time");
    let queues = scene.fleet.queues().await.expect("read");
    let lengths: Vec<_> = queues.iter().map(|queue| (queue.pool.as_str(), queue.jobs)).collect();
    assert_eq!(lengths, [("new", 1)]);
}

#[tokio::test(start_paused = true)]
async fn run_that_must_not_move_ends_with_a_reason() {
    let scene = Scene::set().await;
    scene.submit(true).await;
    let error = scene.ended().await;
    assert_eq!(error.code(), ErrorCode::Interrupted);
    assert!(error.message.contains(POOL_IS_GONE), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn run_that_had_begun_ends_with_a_reason() {
    let scene = Scene::set().await;
    scene.submit(false).await;
    let mut log = RunLog::open(&scene.fleet, "one", "lost").await.expect("opened");
    let (worker, pool) = ("lost".into(), "gone".into());
    log.append(Kind::Started(v1::Started { attempt: 1, worker, pool })).await.expect("stored");
    let error = scene.ended().await;
    assert_eq!(error.code(), ErrorCode::Interrupted);
    assert!(error.message.contains(POOL_IS_GONE), "{error:?}");
}
