//! `worker`: measures the runs of a fleet, until SIGTERM or Ctrl-C.

use super::variables;
use crate::args::service::WorkerArgs;
use crate::exit::{Exit, Failure};
use crate::sandbox;
use profiler_core::cancel::Termination;
use profiler_core::limits::WARM_SANDBOXES;
use profiler_core::sandbox::{Cores, Instance};
use profiler_fleet::{Fleet, wait_for_engine};
use profiler_server::telemetry::logging::{self, START};
use profiler_server::{Config, WorkerSettings, find_place, systemd};
use std::{env, fs};
use tokio::sync::oneshot;
use uuid::Uuid;

/// File in which the kernel keeps this host's name.
const HOST_NAME: &str = "/proc/sys/kernel/hostname";

/// Measures until SIGTERM or Ctrl-C, then lets the runs under way end. A second signal ends the
/// process at once.
pub(crate) async fn work(args: WorkerArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    let config = Config::load(None, |name| env::var(name).ok())?;
    logging::init(config.log_level, config.log_format).map_err(Failure::broken("log"))?;
    variables::warn_of_misspelt();
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    // Read before a sandbox starts, so that a wrong setting costs none.
    let credentials = args.engine.credentials();
    let join = || Fleet::join(&args.engine.fleet, &credentials);
    let first = join().await;
    if let Err(error) = &first
        && error.is_final()
    {
        return Err(Failure::broken("join the fleet")(error));
    }
    let slots = args.cores.get();
    let warm = slots.saturating_mul(WARM_SANDBOXES);
    let profiler = sandbox::serving_profiler(&args.sandbox, Instance::fresh(), warm, cores);
    let profiler = tokio::select! {
        profiler = systemd::starting(profiler) => profiler?,
        _ = termination.asked() => return Ok(Exit::Done),
    };
    let pool = profiler.pool.clone();
    let place = find_place(&profiler).await?;
    let of_kernel = || fs::read_to_string(HOST_NAME).map(|name| name.trim().to_owned());
    let host = args.host.or_else(|| of_kernel().ok()).unwrap_or_else(|| "unknown".into());
    // The name is new at every start, because a restarted worker is another worker.
    let name = format!("{host}-{}", &Uuid::now_v7().simple().to_string()[..12]);
    let (named, ms) = (place.fingerprint(), place.calibration_ms());
    tracing::info!(target: START, "worker {name} in pool {named}, calibration {ms:.2} ms");
    systemd::ready();
    let drain = args.drain;
    let settings = WorkerSettings { name, host, cores: slots, drain, metrics: args.metrics };
    let (ask, asked) = oneshot::channel();
    let signals = async {
        // Sending fails only if the worker has already ended.
        let _ = ask.send(termination.asked().await);
        termination.asked().await
    };
    let shutdown = async {
        if asked.await.is_err() {
            std::future::pending::<()>().await;
        }
        systemd::stopping();
        let sec = drain.as_secs_f64();
        tracing::info!(target: logging::TARGET, "draining: runs get {sec} s to end");
    };
    let joined = async {
        match first {
            Ok(fleet) => Ok(fleet),
            Err(error) => wait_for_engine(error, |_| {}, join).await,
        }
    };
    tokio::select! {
        worked = profiler_server::work(joined, profiler, place, settings, shutdown) => {
            pool.close().await;
            worked.map(|()| Exit::Done).map_err(Failure::broken("work"))
        }
        signal = signals => {
            tracing::info!(target: logging::TARGET, "{signal} again: ending at once");
            Ok(Exit::Stopped(signal))
        }
    }
}
