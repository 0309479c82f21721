//! `run`: profiles one program and prints how the run ended.
//!
//! The program runs in this process or on a server. That is decided once; everything after it sees
//! only the wire's events.

mod expected;
mod local;
mod remote;

use crate::args::{Format, PerunType, RunArgs};
use crate::exit::{Exit, Failure};
use crate::job_request::{self, JobRequest};
use crate::output;
use crate::progress::Progress;
use expected::{Expected, Finding};
use profiler_core::sandbox::Cores;
use profiler_export::{Ending, export};
use profiler_proto::v1::{self, ExportFormat};
use profiler_server::Termination;

/// A run in progress.
enum Run {
    Local(local::Run),
    Remote(Box<remote::Run>),
}

/// Profiles one program and prints how the run ended. A local run is measured on one of `cores`.
pub(crate) async fn run(args: RunArgs, cores: Option<Cores>) -> Result<Exit, Failure> {
    let mut request = job_request::from_args(&args)?;
    let format = format(&args, &mut request.job)?;
    let expected =
        request.expected_complexity.as_deref().map(|text| Expected::parse(text, &request.job));
    let mut ending = profile(&args, request, cores).await?;
    let note = expected.zip(ending.report_mut()).and_then(|(expected, report)| {
        let time = report.growth.as_ref().and_then(|growth| growth.time.as_ref());
        match expected.compare(time) {
            Finding::Note(note) => Some(note),
            Finding::Warning(warning) => {
                report.warnings.push(warning);
                None
            }
        }
    });
    let mut document = export(&ending, format, &output::palette())?.content;
    if let Some(note) = note.filter(|_| format == ExportFormat::Text) {
        document.extend_from_slice(b"\n");
        document.extend_from_slice(note.as_bytes());
    }
    output::write(&document)?;
    Ok(Exit::from(&ending))
}

/// The format of the document. Refuses a format whose data the job does not request, and requests
/// raw samples for the formats that need them.
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

/// Profiles a job, in this process or on a server.
pub(crate) async fn profile(
    args: &RunArgs,
    request: JobRequest,
    cores: Option<Cores>,
) -> Result<Ending, Failure> {
    let progress = Progress::new(args.progress);
    let mut run = match &args.endpoint {
        Some(endpoint) => {
            Run::Remote(Box::new(remote::submit(endpoint, request, &progress).await?))
        }
        None => Run::Local(local::start(&args.sandbox, request, cores, &progress).await?),
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

/// Shows the run's events until the last one. Ctrl-C or SIGTERM cancels the run, which then ends
/// with its partial results. A second signal abandons it.
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
        if let Some(ending) = event.kind.and_then(Ending::from_event) {
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

    /// Waits until the sandbox of a local run is gone.
    async fn end(self) {
        match self {
            Self::Local(run) => run.end().await,
            Self::Remote(_) => {}
        }
    }

    /// Gives up a run that has not ended.
    async fn abandon(self) {
        match self {
            // A local run ends with this process.
            Self::Local(_) => {}
            Self::Remote(run) => run.abandon().await,
        }
    }

    /// Cancels the run; its last event has the partial results.
    fn cancel(&self) {
        match self {
            Self::Local(run) => run.cancel(),
            Self::Remote(run) => run.cancel(),
        }
    }
}
