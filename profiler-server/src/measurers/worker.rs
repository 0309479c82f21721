//! A worker of a fleet: it measures runs that gateways have accepted.
//!
//! ```text
//!   the engine ──job──▶ pipeline ──event──▶ the run's log
//! ```
//!
//! A worker leaves a run in one of four ways: its last event is in the log; the worker drains and
//! hands the run back; another worker wrote to the log, and so has the run; or the lease was not
//! renewed in time. In the last two cases, the worker stops the sandbox and writes nothing more.

mod conduct;
mod drift;
mod place;
mod shared;

pub use place::find_place;
pub use shared::WorkerSettings;

use crate::server::systemd;
use crate::telemetry::logging::TARGET;
use crate::telemetry::metrics::{Metrics, Reading};
use crate::telemetry::scrape::{self, ScrapeError};
use conduct::{conduct, interrupted};
use drift::watch_drift;
use futures::{Stream, StreamExt};
use profiler_core::Profiler;
use profiler_fleet::{Action, Fleet, FleetError, Order, Peers, Worker, WorkerState, has_drifted};
use profiler_proto::v1::Host;
use shared::Shared;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

/// Reason why a worker takes no jobs until an operator resumes it.
const PAUSED: &str = "an operator paused it";
/// Reason why a worker that has not joined its fleet takes no jobs.
const WAITS: &str = "it waits for the engine";
/// Pause after the engine failed.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Time limit for handing back the runs of a worker.
const HAND_BACK_LIMIT: Duration = Duration::from_secs(5);

/// Reason why a worker could not begin.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The engine refused.
    #[error(transparent)]
    Fleet(#[from] FleetError),
    /// The port of the metrics cannot be bound.
    #[error(transparent)]
    Metrics(#[from] ScrapeError),
}

/// Measures runs of the fleet until `shutdown`, then lets the runs under way end within the drain
/// limit. Runs that are left go to other workers. Until `fleet` is there, only the metrics answer.
/// `place` describes the host, and its fingerprint names the pool. It comes from [`find_place`], or
/// from a test.
///
/// # Errors
/// If the engine does not let this worker begin, or the port of the metrics is taken.
pub async fn work(
    fleet: impl Future<Output = Result<Fleet, FleetError>> + Send,
    profiler: Profiler,
    place: Host,
    settings: WorkerSettings,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), WorkError> {
    let (pool, calibration_ms) = (place.fingerprint().to_owned(), place.calibration_ms());
    let (state, said) = watch::channel(waiting(place, &settings));
    let (cores, drain) = (settings.cores, settings.drain);
    let shared = Arc::new(Shared {
        metrics: Metrics::new(profiler.pool.backend().name()),
        settings,
        state,
        peers: Peers::default(),
        calibrations: Mutex::new([calibration_ms].into()),
        fleet: OnceLock::new(),
    });
    let (page, ready) = (page(&shared, &profiler), ready(&shared, &profiler));
    let mut minding = scrape::serve(shared.settings.metrics, page, ready).await?;
    minding.spawn(tell_systemd());
    let mut shutdown = std::pin::pin!(shutdown);
    let fleet = tokio::select! {
        fleet = fleet => fleet?,
        () = &mut shutdown => return Ok(()),
    };
    // Nobody else sets it.
    let _ = shared.fleet.set(fleet.clone());
    shared.peers.hear(&fleet, &pool).await?;
    let worker = Arc::new(Worker::new(fleet, shared.settings.name.clone(), pool));
    let orders = worker.orders().await?;
    let mut ordered = std::pin::pin!(obey(orders, &shared));
    shared.leave("");
    let (tell, phase) = watch::channel(DrainPhase::Works);
    let mut tasks = JoinSet::new();
    let measure = || {
        let (worker, profiler) = (worker.clone(), profiler.clone());
        measure_one_after_another(worker, profiler, shared.clone(), phase.clone())
    };
    for _ in 0..cores {
        tasks.spawn(measure());
    }
    let saying = async {
        while let Err(error) = worker.say(said.clone()).await {
            // An outage has a line of its own. The same holds below.
            if worker.fleet().is_connected() {
                tracing::warn!(target: TARGET, %error, "saying again");
            }
            sleep(RETRY_PAUSE).await;
        }
    };
    let work = async {
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                () = &mut ordered => break,
                // Before shutdown, only a panic ends a task. The task's run goes to another worker
                // when its lease ends.
                Some(Err(panic)) = tasks.join_next() => {
                    tracing::error!(target: TARGET, %panic, "a core begins again");
                    tasks.spawn(measure());
                }
            }
        }
        shared.leave("it was asked to drain");
        tell.send_replace(DrainPhase::Drains);
        let mut ended = std::pin::pin!(async { while tasks.join_next().await.is_some() {} });
        if timeout(drain, &mut ended).await.is_err() {
            tell.send_replace(DrainPhase::GivesUp);
            // Runs that the engine does not take back are lost when their leases end.
            let _ = timeout(HAND_BACK_LIMIT, ended).await;
        }
    };
    tokio::select! {
        () = work => {}
        () = saying => {}
        () = watch_drift(&shared, &profiler) => {}
    }
    Ok(())
}

/// Does what operators order. Returns when one orders this worker to end.
async fn obey(mut orders: impl Stream<Item = Order> + Unpin, shared: &Shared) {
    while let Some(order) = orders.next().await {
        let state = shared.state.borrow().clone();
        if !order.is_for(&state) {
            continue;
        }
        let action = order.action();
        tracing::info!(target: TARGET, ?action, "an operator gave an order");
        match action {
            Action::Drain => return,
            Action::Pause if state.draining.is_empty() || has_drifted(&state.draining) => {
                shared.leave(PAUSED);
            }
            Action::Resume if state.draining == PAUSED => shared.leave(""),
            Action::Unknown | Action::Pause | Action::Resume => {}
        }
    }
    std::future::pending::<()>().await;
}

/// Tells systemd, if it watches this process, that tasks still run.
async fn tell_systemd() {
    let check = || std::future::ready(());
    match systemd::watch(systemd::watchdog_period(), check, systemd::alive).await {}
}

/// The state of a worker that waits for its engine.
fn waiting(place: Host, settings: &WorkerSettings) -> WorkerState {
    let calibration_ms = place.calibration_ms();
    WorkerState {
        worker: settings.name.clone(),
        host: settings.host.clone(),
        pool: place.fingerprint().to_owned(),
        draining: WAITS.into(),
        cpu_model: place.cpu_model,
        kernel: place.kernel,
        calibration_ms,
        cores: u32::try_from(settings.cores).unwrap_or(u32::MAX),
        version: env!("CARGO_PKG_VERSION").into(),
        ..WorkerState::default()
    }
}

fn page(
    shared: &Arc<Shared>,
    profiler: &Profiler,
) -> impl Fn() -> Option<String> + Send + Sync + 'static {
    let (shared, pool, started) = (Arc::clone(shared), profiler.pool.clone(), Instant::now());
    move || {
        let state = shared.state.borrow().clone();
        let reading = Reading {
            running: state.runs.len(),
            sandboxes: pool.starts(),
            swept: pool.backend().swept(),
            serving: state.draining.is_empty() && pool.health().borrow().is_ok(),
            uptime: started.elapsed(),
            fenced: state.fenced,
            broken: shared.fleet.get().map_or(0, Fleet::broken_messages),
            cores: shared.settings.cores,
            ..Reading::default()
        };
        shared.metrics.page(&reading).ok()
    }
}

/// Returns a function that tells why the worker takes no jobs. A worker that has left its pool
/// because of its speed comes back by itself, so it is ready.
fn ready(
    shared: &Arc<Shared>,
    profiler: &Profiler,
) -> impl Fn() -> Result<(), String> + Send + Sync + 'static {
    let (shared, pool) = (Arc::clone(shared), profiler.pool.clone());
    move || {
        let why = shared.state.borrow().draining.clone();
        if !why.is_empty() && !has_drifted(&why) {
            return Err(why);
        }
        pool.health().borrow().clone().map_err(|fault| fault.to_string())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum DrainPhase {
    Works,
    /// Takes no more jobs.
    Drains,
    /// Hands back its runs.
    GivesUp,
}

/// Takes and measures jobs until the worker drains. Pauses while the worker has left its pool.
async fn measure_one_after_another(
    worker: Arc<Worker>,
    profiler: Profiler,
    shared: Arc<Shared>,
    mut phase: watch::Receiver<DrainPhase>,
) {
    loop {
        let (mut state, mut ends) = (shared.state.subscribe(), phase.clone());
        let until = async {
            tokio::select! {
                _ = state.wait_for(|state| !state.draining.is_empty()) => {}
                _ = ends.wait_for(|phase| *phase >= DrainPhase::Drains) => {}
            }
        };
        let taken = Box::pin(worker.take(interrupted, until)).await;
        match taken {
            Ok(None) if *phase.borrow() >= DrainPhase::Drains => return,
            Ok(None) => {
                // The worker may come back to its pool.
                let mut back = shared.state.subscribe();
                tokio::select! {
                    _ = back.wait_for(|state| state.draining.is_empty()) => {}
                    _ = phase.wait_for(|phase| *phase >= DrainPhase::Drains) => return,
                }
            }
            Ok(Some(taken)) => {
                let mut phase = phase.clone();
                let given_up = async move {
                    let _ = phase.wait_for(|phase| *phase == DrainPhase::GivesUp).await;
                };
                Box::pin(conduct(&worker, &profiler, &shared, given_up, taken)).await;
            }
            Err(error) => {
                if worker.fleet().is_connected() {
                    tracing::warn!(target: TARGET, %error, "taking a job again");
                }
                sleep(RETRY_PAUSE).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::{FutureExt, stream};

    #[tokio::test]
    async fn operator_pauses_and_resumes_a_worker_and_ends_it() {
        let settings = WorkerSettings {
            name: "a-1".into(),
            host: "a".into(),
            cores: 1,
            drain: Duration::ZERO,
            metrics: None,
        };
        let state = watch::channel(waiting(Host::default(), &settings)).0;
        let metrics = Metrics::new("fake");
        let (calibrations, fleet) = (Mutex::new([1.0].into()), OnceLock::new());
        let peers = Peers::default();
        let shared = Shared { settings, state, peers, calibrations, metrics, fleet };
        let order = |action: Action, host: &str| Order {
            action: action.into(),
            host: host.into(),
            ..Order::default()
        };
        let draining = || shared.state.borrow().draining.clone();
        let after = |orders: Vec<Order>| {
            let orders = stream::iter(orders).chain(stream::pending());
            obey(orders.boxed(), &shared).now_or_never().is_some()
        };
        shared.leave("");
        assert!(!after(vec![order(Action::Pause, "b"), order(Action::Drain, "b")]));
        assert_eq!(draining(), "");
        assert!(!after(vec![order(Action::Pause, "a")]));
        assert_eq!(draining(), PAUSED);
        assert!(!after(vec![order(Action::Resume, "a-1")]));
        assert_eq!(draining(), "");
        assert!(after(vec![order(Action::Drain, "")]));
    }
}
