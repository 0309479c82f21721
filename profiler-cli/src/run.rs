//! `run`: from the arguments to a printed ending. Where the program runs, here or on a server, is
//! decided once; what follows sees the wire's events alone.

mod local;
mod remote;

use crate::args::RunArgs;
use crate::exit::{Exit, Failure, print};
use crate::palette::Palette;
use crate::progress::Progress;
use crate::render::{self, Ending};
use crate::request;
use profiler_core::cores::Cores;
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use profiler_server::Termination;

/// A run under way.
enum Run {
    Local(local::Run),
    Remote(Box<remote::Run>),
}

/// Profiles one program and prints how that ended. One that runs here is measured on one of `cores`.
pub(crate) async fn run(args: RunArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    let draft = request::draft(&args)?;
    let progress = Progress::new(args.progress);
    let mut run = match &args.endpoint {
        Some(endpoint) => Run::Remote(Box::new(remote::submit(endpoint, draft, &progress).await?)),
        None => Run::Local(local::start(&args.sandbox, draft, cores, &progress).await?),
    };
    let ending = watch(&mut run, &progress).await;
    progress.finish();
    let ending = match ending {
        Ok(ending) => ending,
        Err(failure) => {
            run.abandon().await;
            return Err(failure);
        }
    };
    run.end().await;
    print(&render::text(&ending, args.format, &Palette::of_stdout())?)?;
    Ok(ending.exit())
}

/// Shows the run's events until the last one. Ctrl-C, or SIGTERM, stops the run, which then ends with
/// what it has; a second one does not wait for that.
async fn watch(run: &mut Run, progress: &Progress) -> Result<Ending, Failure> {
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let mut cancelled = false;
    loop {
        let event = tokio::select! {
            event = run.next() => event?,
            () = termination.asked() => {
                if cancelled {
                    return Err(Failure::Abandoned);
                }
                run.cancel();
                cancelled = true;
                continue;
            }
        };
        progress.show(&event)?;
        if let Some(ending) = ending(event) {
            return Ok(ending);
        }
    }
}

fn ending(event: v1::Event) -> Option<Ending> {
    match event.kind? {
        Kind::Finished(report) => Some(Ending::Report(Box::new(report))),
        Kind::Failed(error) => Some(Ending::Error(Box::new(error))),
        Kind::Accepted(_) | Kind::Compiled(_) | Kind::SizeMeasured(_) | Kind::Heartbeat(_) => None,
    }
}

impl Run {
    async fn next(&mut self) -> Result<v1::Event, Failure> {
        match self {
            Self::Local(run) => run.next().await,
            Self::Remote(run) => run.next().await,
        }
    }

    /// Waits until nothing of it is left on this host.
    async fn end(self) {
        match self {
            Self::Local(run) => run.end().await,
            Self::Remote(_) => {}
        }
    }

    /// Leaves a run that has not ended.
    async fn abandon(self) {
        match self {
            // It ends with this process's runtime.
            Self::Local(_) => {}
            Self::Remote(run) => run.abandon().await,
        }
    }

    /// Has it end; the next event says how far it came.
    fn cancel(&self) {
        match self {
            Self::Local(run) => run.cancel(),
            Self::Remote(run) => run.cancel(),
        }
    }
}
