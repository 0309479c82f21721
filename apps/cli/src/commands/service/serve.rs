//! `serve`: the profiler as a gRPC service, until SIGTERM or Ctrl-C.

use super::variables;
use crate::args::service::ServeArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::sandbox;
use crate::stderr::tell;
use profiler_core::cancel::Termination;
use profiler_core::limits::WARM_SANDBOXES;
use profiler_core::sandbox::Cores;
use profiler_server::config::{ConfigError, Settings};
use profiler_server::store::Retention;
use profiler_server::telemetry::logging::{self, LevelSwitch, START};
#[cfg(feature = "otlp")]
use profiler_server::telemetry::traces::Traces;
use profiler_server::{Config, Listener, Measuring, Reload, Store, systemd};
use std::env;
use std::io::{IsTerminal, stdin};
use std::path::PathBuf;
use tokio::sync::{oneshot, watch};

/// Reads the settings. The environment overrides the file, and the arguments override both.
pub(crate) fn settings(args: &ServeArgs) -> Result<Settings, ConfigError> {
    Settings::read(args.config.as_deref(), |name| env::var(name).ok(), &args.settings.0)
}

/// Prints the settings in effect, and what was probably meant as one.
pub(crate) fn describe(settings: &Settings) -> Result<Exit, Failure> {
    for hint in variables::misspelt() {
        tell(format_args!("swiftprof: {hint}"));
    }
    output::print(&settings.describe())?;
    Ok(Exit::Done)
}

/// Serves until SIGTERM or Ctrl-C; a second signal ends the process at once. Programs are measured
/// on `cores`.
pub(crate) async fn serve(
    args: ServeArgs,
    settings: Settings,
    config: Config,
    cores: Option<Cores>,
) -> Result<Exit, Failure> {
    let level =
        logging::init(config.log_level, config.log_format).map_err(Failure::broken("log"))?;
    variables::tell_start(args.config.as_deref());
    #[cfg(feature = "otlp")]
    let traces = Traces::of_environment().map_err(Failure::broken("send traces"))?;
    // Signals are handled before the address is printed, because its reader may send one.
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let mut listeners = Vec::new();
    for address in &args.listen {
        let listener = Listener::bind(address).await?;
        listener.share(&config.identity)?;
        listeners.push(listener);
    }
    let started = tokio::select! {
        started = measuring(&args, &config, cores) => started?,
        _ = termination.asked() => return Ok(Exit::Done),
    };
    let (measuring, store) = started;
    let current = reload(&args, settings, config, level)?;
    for listener in &listeners {
        let address = listener.address().map_err(Failure::broken("listen"))?;
        tracing::info!(target: START, "listening on {address}");
    }
    systemd::ready();
    let (ask, asked) = oneshot::channel();
    let signals = async {
        // Sending fails only if the server has already ended.
        let _ = ask.send(termination.asked().await);
        termination.asked().await
    };
    let agents = Some(profiler_mcp::agents());
    let asked = async {
        match asked.await {
            Ok(signal) => signal,
            Err(_) => std::future::pending().await,
        }
    };
    let served = async {
        let served =
            profiler_server::serve(current, measuring, store, listeners, agents, asked).await;
        #[cfg(feature = "otlp")]
        if let Some(traces) = traces {
            traces.end().await;
        }
        served
    };
    tokio::select! {
        served = served => served.map(|()| Exit::Done).map_err(Failure::broken("serve")),
        signal = signals => {
            tracing::info!(target: logging::TARGET, "{signal} again: ending at once");
            Ok(Exit::Stopped(signal))
        }
    }
}

/// Builds the profiler, or the gateway of a fleet, and opens the store of the runs.
async fn measuring(
    args: &ServeArgs,
    config: &Config,
    cores: Option<Cores>,
) -> Result<(Measuring, Store), Failure> {
    let (folder, retention) = (config.state_dir.clone(), (&config.retention).into());
    if let Some(url) = &config.fleet.url {
        return gateway(url, config, folder, retention).await;
    }
    let store = Store::open(folder, retention).await?;
    let (sandbox, instance) = (&args.sandbox, store.instance());
    let profiler = sandbox::serving_profiler(sandbox, instance, WARM_SANDBOXES, cores);
    Ok((systemd::starting(profiler).await?.into(), store))
}

/// A gateway of the fleet at `url`.
#[cfg(feature = "fleet")]
async fn gateway(
    url: &str,
    config: &Config,
    folder: Option<PathBuf>,
    retention: Retention,
) -> Result<(Measuring, Store), Failure> {
    let store = Store::open_for_gateway(folder, retention).await?;
    let gateway = profiler_server::FleetGateway::connect(url, &config.fleet).await;
    let gateway = gateway.map_err(Failure::broken("join the fleet"))?;
    tracing::info!(target: START, "gateway of the fleet at {url}");
    Ok((Measuring::InFleet(gateway), store))
}

#[cfg(not(feature = "fleet"))]
#[expect(clippy::unused_async, reason = "the other is async")]
async fn gateway(
    _: &str,
    _: &Config,
    _: Option<PathBuf>,
    _: Retention,
) -> Result<(Measuring, Store), Failure> {
    let why = "unsupported: this swiftprof was built without the feature `fleet`";
    Err(Failure::argument("--fleet", why))
}

/// Reads the settings again at every SIGHUP. Returns the receiver of the current settings.
fn reload(
    args: &ServeArgs,
    settings: Settings,
    config: Config,
    level: LevelSwitch,
) -> Result<watch::Receiver<Config>, Failure> {
    // At a terminal, SIGHUP means that its window was closed, and ends the server.
    if stdin().is_terminal() {
        return Ok(watch::channel(config).1);
    }
    let listen = Reload::listen(settings, config, level);
    let (reload, current) = listen.map_err(Failure::broken("listen for signals"))?;
    let args = args.clone();
    tokio::spawn(reload.run(move || self::settings(&args)));
    Ok(current)
}
