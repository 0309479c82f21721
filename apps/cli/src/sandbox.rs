//! Sandboxes of this process, on the backend that the arguments name.

use crate::args::SandboxArgs;
use crate::exit::Failure;
use crate::progress::Progress;
use crate::stderr::tell;
use profiler_core::Profiler;
use profiler_core::build::BinaryCache;
use profiler_core::cancel::{StopSignal, Termination};
use profiler_core::error::SandboxFault;
use profiler_core::measure::{NotCompiled, ProgramSession};
use profiler_core::sandbox::{Backend, Cores, Instance, Pool, Selected};
use profiler_export::{explain_errors, flag};
#[cfg(feature = "service")]
use profiler_server::telemetry::logging::START;
use std::sync::{Arc, OnceLock};

/// Number of sandboxes that a command starts in advance: none, because it has only one job.
const WARM_SANDBOXES: usize = 0;

/// The backend of this process.
static SELECTED: OnceLock<Arc<dyn Backend>> = OnceLock::new();

/// End of a search for an input.
#[derive(Debug)]
pub(crate) enum Ended<E> {
    /// The search ended by itself.
    Searched(E),
    /// A program does not compile: its index, and why.
    NotCompiled(usize, Box<NotCompiled>),
    /// A signal stopped the search.
    Stopped(StopSignal),
    /// The host failed.
    Fault(SandboxFault),
}

/// Selects a backend for `instance` and gives the reason. If the image must be built first,
/// `progress` gets the lines of Docker's output.
pub(crate) async fn select(
    args: &SandboxArgs,
    instance: Instance,
    progress: impl FnMut(&str) + Send,
) -> Result<Selected, SandboxFault> {
    let selected = args.backend.select(&args.image, instance, progress).await?;
    SELECTED.get_or_init(|| selected.backend.clone());
    Ok(selected)
}

/// Returns a profiler for one job, which is measured on one of `cores`. Announces its backend.
pub(crate) async fn profiler(
    args: &SandboxArgs,
    cores: Option<Cores>,
    progress: &Progress,
) -> Result<Profiler, SandboxFault> {
    let selected = select(args, Instance::fresh(), |line| progress.show_step(line)).await?;
    progress.announce(&selected.to_string());
    let pool = Pool::new(selected.backend, WARM_SANDBOXES).with_cores(cores);
    Ok(Profiler::new(pool, BinaryCache::for_user()))
}

/// Returns a profiler for the jobs of a service, with `warm` sandboxes that are started in advance.
/// While the service works, its backend precompiles headers for the flags of its jobs.
#[cfg(feature = "service")]
pub(crate) async fn serving_profiler(
    args: &SandboxArgs,
    instance: Instance,
    warm: usize,
    cores: Option<Cores>,
) -> Result<Profiler, SandboxFault> {
    let selected = select(args, instance, |line| tracing::info!(target: START, "{line}")).await?;
    tracing::info!(target: START, "{selected}");
    let backend = selected.backend;
    let precompiling = backend.clone();
    tokio::spawn(async move {
        let mut progress = |line: &str| tracing::info!(target: "Profiler", "{line}");
        loop {
            precompiling.precompile(&mut progress).await;
            precompiling.header_wanted().await;
        }
    });
    let pool = Pool::new(backend, warm).with_cores(cores);
    Ok(Profiler::new(pool, BinaryCache::for_user()))
}

/// Runs `search` until it ends or a signal stops it, then ends the programs that it has started.
pub(crate) async fn search<E, const N: usize>(
    args: &SandboxArgs,
    progress: &Progress,
    search: impl AsyncFnOnce(
        &Profiler,
        &mut [Option<ProgramSession>; N],
    ) -> Result<Ended<E>, SandboxFault>,
) -> Result<Ended<E>, Failure> {
    let profiler = profiler(args, None, progress).await?;
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let mut programs = [const { None }; N];
    let ended = tokio::select! {
        biased;
        signal = termination.asked() => Ended::Stopped(signal),
        ended = search(&profiler, &mut programs) => ended.unwrap_or_else(Ended::Fault),
    };
    for program in programs.into_iter().flatten() {
        program.end().await;
    }
    profiler.pool.close().await;
    progress.finish();
    if let Ended::NotCompiled(_, refused) = &ended {
        tell(format_args!("{}", explain_errors(&refused.step, flag)));
    }
    Ok(ended)
}

/// Precompiles what makes later runs on this backend faster, once the result of this one has been
/// printed. Ctrl-C ends this and nothing else.
pub(crate) async fn precompile() {
    let (Some(backend), Ok(mut termination)) = (SELECTED.get(), Termination::listen()) else {
        return;
    };
    let progress = &mut |line: &str| tell(format_args!("{line}; Ctrl-C skips this"));
    tokio::select! {
        () = backend.precompile(progress) => {}
        _ = termination.asked() => {}
    }
}
