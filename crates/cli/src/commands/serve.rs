//! `serve`: the profiler as a gRPC service, until SIGTERM or Ctrl-C.

pub(crate) mod state;

use crate::args::ServeArgs;
use crate::exit::{Exit, Failure};
use crate::sandbox;
use profiler_core::Profiler;
use profiler_core::build::BinaryCache;
use profiler_core::limits::WARM_SANDBOXES;
use profiler_core::sandbox::Cores;
use profiler_core::sandbox::Pool;
use profiler_server::{Config, Listener, Store, Termination, identity, logging};
use sd_notify::NotifyState;
use std::env;

/// Reads the settings, before anything starts.
pub(crate) fn settings(args: &ServeArgs) -> Result<Config, Failure> {
    let mut config = Config::load(args.config.as_deref(), |name| env::var(name).ok())?;
    args.identity.apply(&mut config.identity);
    identity::check(&config.identity, &args.listen)?;
    Ok(config)
}

/// Serves until SIGTERM or Ctrl-C. Programs are measured on `cores`.
pub(crate) async fn serve(
    args: ServeArgs,
    config: Config,
    cores: Option<Cores>,
) -> Result<Exit, Failure> {
    logging::init(config.log_level).map_err(Failure::broken("log"))?;
    // Signals are handled before the address is printed: whoever reads it may send one.
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let listener = Listener::bind(&args.listen).await?;
    listener.share(&config.identity)?;
    let folder = args.state_dir.or_else(|| config.state_dir.clone());
    let store = Store::open(folder, (&config.retention).into()).await?;
    let selected = tokio::select! {
        selected = sandbox::select(&args.sandbox, store.instance(), |line| eprintln!("{line}")) => selected?,
        _ = termination.asked() => return Ok(Exit::Done),
    };
    eprintln!("backend {}: {}", selected.backend.name(), selected.reason);
    let address = listener.address().map_err(Failure::broken("listen"))?;
    eprintln!("listening on {address}");
    tell_systemd(NotifyState::Ready);
    let pool = Pool::new(selected.backend, WARM_SANDBOXES).with_cores(cores);
    let profiler = Profiler::new(pool, BinaryCache::for_user());
    let shutdown = async move {
        termination.asked().await;
        tell_systemd(NotifyState::Stopping);
    };
    profiler_server::serve(config, profiler, store, listener, shutdown)
        .await
        .map_err(Failure::broken("serve"))?;
    Ok(Exit::Done)
}

/// Tells systemd, if it has started this process as a service of `Type=notify`.
fn tell_systemd(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(false, &[state]) {
        eprintln!("tell systemd: {error}");
    }
}
