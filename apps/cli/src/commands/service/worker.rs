//! `worker`: measures the runs of a fleet, until SIGTERM or Ctrl-C.

use super::variables;
use crate::args::service::WorkerArgs;
use crate::exit::{Exit, Failure};
use crate::sandbox;
use profiler_core::cancel::Termination;
use profiler_core::limits::WARM_SANDBOXES;
use profiler_core::sandbox::{Cores, Instance};
use profiler_fleet::{Credentials, wait_for_engine};
use profiler_server::config::{ConfigError, Fleet, Settings};
use profiler_server::telemetry::logging::{self, START};
use profiler_server::{Config, WorkerSettings, find_place, systemd};
use std::{env, fs};
use tokio::sync::oneshot;
use uuid::Uuid;

/// File in which the kernel keeps this host's name.
const HOST_NAME: &str = "/proc/sys/kernel/hostname";

/// Problem of a worker without a fleet.
const NO_FLEET: &str =
    "no engine of a fleet is named: give the option, PROFILER_FLEET_URL, or fleet.url in --config";

/// Reads the settings. The environment overrides the file, and the arguments override both.
pub(crate) fn settings(args: &WorkerArgs) -> Result<Settings, ConfigError> {
    Settings::read(args.config.as_deref(), |name| env::var(name).ok(), &args.settings())
}

/// Measures until SIGTERM or Ctrl-C, then lets the runs under way end. A second signal ends the
/// process at once.
pub(crate) async fn work(
    args: WorkerArgs,
    settings: Settings,
    config: Config,
    cores: Option<Cores>,
) -> Result<Exit, Failure> {
    let url = config.fleet.url.as_ref().ok_or_else(|| Failure::argument("--fleet", NO_FLEET))?;
    logging::init(config.log_level, config.log_format).map_err(Failure::broken("log"))?;
    variables::tell_start(args.config.as_deref());
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    // Read before a sandbox starts, so that a wrong setting costs none.
    let Fleet { nkey, ca, .. } = config.fleet.clone();
    let credentials = Credentials { nkey, ca };
    let join = || profiler_fleet::Fleet::join(url, &credentials);
    let first = join().await;
    if let Err(error) = &first
        && error.is_final()
    {
        return Err(Failure::broken("join the fleet")(error));
    }
    let slots = args.cores(&config);
    let warm = slots.saturating_mul(WARM_SANDBOXES);
    let profiler = sandbox::serving_profiler(&args.sandbox, Instance::fresh(), warm, cores);
    let profiler = tokio::select! {
        profiler = systemd::starting(profiler) => profiler?,
        _ = termination.asked() => return Ok(Exit::Done),
    };
    let pool = profiler.pool.clone();
    let place = find_place(&profiler).await?;
    let of_kernel = || fs::read_to_string(HOST_NAME).map(|name| name.trim().to_owned());
    let host = args.host.clone().or_else(|| of_kernel().ok()).unwrap_or_else(|| "unknown".into());
    // The name is new at every start, because a restarted worker is another worker.
    let name = format!("{host}-{}", &Uuid::now_v7().simple().to_string()[..12]);
    let (named, ms) = (place.fingerprint(), place.calibration_ms());
    tracing::info!(target: START, "worker {name} in pool {named}, calibration {ms:.2} ms");
    systemd::ready();
    let drain = args.drain(&settings, &config);
    let metrics = config.metrics;
    let settings = WorkerSettings { name, host, cores: slots, drain, metrics };
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
