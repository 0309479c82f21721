//! `run`: from the arguments to a printed ending. Where the program runs, here or on a server, is
//! decided once; what follows sees the wire's events alone.

mod expected;
mod local;
mod remote;

use crate::args::{Format, PerunType, RunArgs};
use crate::exit::{Exit, Failure, write};
use crate::progress::Progress;
use crate::request::{self, Asked};
use crate::terminal;
use expected::Expected;
use profiler_core::sandbox::Cores;
use profiler_export::{Ending, export};
use profiler_proto::v1::{self, ExportFormat};
use profiler_server::Termination;

/// A run under way.
enum Run {
    Local(local::Run),
    Remote(Box<remote::Run>),
}

/// Profiles one program and prints how that ended. One that runs here is measured on one of `cores`.
pub(crate) async fn run(args: RunArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    let mut asked = request::asked(&args)?;
    let format = format(&args, &mut asked.job)?;
    let expected = asked.expected_complexity.as_deref().map(|text| Expected::of(text, &asked.job));
    let mut ending = profile(&args, asked, cores).await?;
    let line = expected.and_then(|expected| expected.compare(ending.report_mut()?));
    let mut document = export(&ending, format, &terminal::palette())?.content;
    if let Some(line) = line.filter(|_| format == ExportFormat::Text) {
        document.extend_from_slice(b"\n");
        document.extend_from_slice(line.as_bytes());
    }
    write(&document)?;
    Ok(Exit::from(&ending))
}

/// The format of the document. What it is made of must be asked for, or the run would be in vain.
fn format(args: &RunArgs, job: &mut v1::Job) -> Result<ExportFormat, Failure> {
    let needs = |argument: &str, given: bool| {
        let problem = format!("this format needs {argument}");
        if given { Ok(()) } else { Err(Failure::argument("--format", problem)) }
    };
    Ok(match (args.format, args.perun_type) {
        (Format::Table, _) => ExportFormat::Text,
        (Format::Json, _) => ExportFormat::Json,
        (Format::Swiftsolve, _) => ExportFormat::Swiftsolve,
        (Format::Csv, _) => ExportFormat::Csv,
        (Format::Html, _) => ExportFormat::Html,
        (Format::Folded, _) => {
            needs("--debug", job.debug)?;
            ExportFormat::Folded
        }
        (Format::FlameGraph, _) => {
            needs("--debug", job.debug)?;
            ExportFormat::FlameGraph
        }
        (Format::Perun, PerunType::Memory) => {
            needs("--allocations", job.allocations)?;
            ExportFormat::PerunMemory
        }
        (Format::Perun, PerunType::Time) => {
            job.raw_samples = true;
            ExportFormat::PerunTime
        }
        (Format::Perun, PerunType::Mixed) => {
            job.raw_samples = true;
            ExportFormat::PerunMixed
        }
    })
}

/// Profiles what is asked for, here or on a server.
pub(crate) async fn profile(
    args: &RunArgs,
    asked: Asked,
    cores: Option<Cores>,
) -> Result<Ending, Failure> {
    let progress = Progress::new(args.progress);
    let mut run = match &args.endpoint {
        Some(endpoint) => Run::Remote(Box::new(remote::submit(endpoint, asked, &progress).await?)),
        None => Run::Local(local::start(&args.sandbox, asked, cores, &progress).await?),
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
    Ok(ending)
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
        if let Some(ending) = event.kind.and_then(Ending::of) {
            return Ok(ending);
        }
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
