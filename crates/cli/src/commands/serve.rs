//! `serve`: the profiler as a gRPC service, until SIGTERM or Ctrl-C.

pub(crate) mod mcp;
pub(crate) mod state;

use crate::args::ServeArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::sandbox;
use profiler_core::Profiler;
use profiler_core::build::BinaryCache;
use profiler_core::limits::WARM_SANDBOXES;
use profiler_core::sandbox::Cores;
use profiler_core::sandbox::Pool;
use profiler_server::config::{ConfigError, Settings};
use profiler_server::telemetry::logging::{self, LevelSwitch, START};
use profiler_server::{Config, Listener, Reload, Store, Termination, systemd};
use std::env;
use std::io::{IsTerminal, stdin};
use tokio::sync::{oneshot, watch};

/// Reads the settings: the file, over it the environment, over both the arguments.
pub(crate) fn settings(args: &ServeArgs) -> Result<Settings, ConfigError> {
    let state_dir = args.state_dir.as_ref().map(|folder| folder.display().to_string());
    let drain_grace = args.drain_grace.map(|grace| grace.as_secs_f64().to_string());
    let metrics = args.telemetry.metrics.map(|address| address.to_string());
    let log_format = args.telemetry.log_format.map(|format| format.to_string());
    let options = [
        ("--state-dir", state_dir),
        ("--drain-grace", drain_grace),
        ("--metrics", metrics),
        ("--log-format", log_format),
    ];
    let options = options.into_iter().chain(args.identity.texts());
    let given: Vec<_> = options.filter_map(|(option, text)| Some((option, text?))).collect();
    Settings::read(args.config.as_deref(), |name| env::var(name).ok(), &given)
}

/// Prints the settings that hold.
pub(crate) fn describe(settings: &Settings) -> Result<Exit, Failure> {
    output::print(&settings.describe())?;
    Ok(Exit::Done)
}

/// Serves until SIGTERM or Ctrl-C; the second of these ends at once. Programs are measured on
/// `cores`.
pub(crate) async fn serve(
    args: ServeArgs,
    settings: Settings,
    config: Config,
    cores: Option<Cores>,
) -> Result<Exit, Failure> {
    let level =
        logging::init(config.log_level, config.log_format).map_err(Failure::broken("log"))?;
    // Signals are handled before the address is printed: whoever reads it may send one.
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let mut listeners = Vec::new();
    for address in &args.listen {
        let listener = Listener::bind(address).await?;
        listener.share(&config.identity)?;
        listeners.push(listener);
    }
    let store = Store::open(config.state_dir.clone(), (&config.retention).into()).await?;
    let select = sandbox::select(&args.sandbox, store.instance(), |line| {
        tracing::info!(target: START, "{line}");
    });
    let selected = tokio::select! {
        selected = systemd::starting(select) => selected?,
        _ = termination.asked() => return Ok(Exit::Done),
    };
    let current = reload(&args, settings, config, level)?;
    let (backend, reason) = (selected.backend.name(), &selected.reason);
    tracing::info!(target: START, "backend {backend}: {reason}");
    for listener in &listeners {
        let address = listener.address().map_err(Failure::broken("listen"))?;
        tracing::info!(target: START, "listening on {address}");
    }
    systemd::ready();
    let pool = Pool::new(selected.backend, WARM_SANDBOXES).with_cores(cores);
    let profiler = Profiler::new(pool, BinaryCache::for_user());
    let (ask, asked) = oneshot::channel();
    let signals = async {
        // Nobody waits only if the server has ended by itself.
        let _ = ask.send(termination.asked().await);
        termination.asked().await
    };
    let agents = Some(profiler_mcp::agents());
    let served = profiler_server::serve(current, profiler, store, listeners, agents, async {
        match asked.await {
            Ok(signal) => signal,
            Err(_) => std::future::pending().await,
        }
    });
    tokio::select! {
        served = served => served.map(|()| Exit::Done).map_err(Failure::broken("serve")),
        signal = signals => {
            tracing::info!(target: logging::TARGET, "{signal} again: ending at once");
            Ok(Exit::Stopped(signal))
        }
    }
}

/// Reads the settings again at every SIGHUP. Returns those that hold.
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
