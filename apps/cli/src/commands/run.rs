//! `run`: profiles one program and prints how the run ended.
//!
//! The program runs in this process or on a server. That is decided once; everything after it sees
//! only the wire's events.

mod expected;
mod file_watch;
mod local;
mod next_step;
#[cfg_attr(not(feature = "service"), path = "run/no_remote.rs")]
mod remote;
pub(super) mod turns;

pub(crate) use file_watch::after_each_change;

use super::compare::gate::Gate;
use crate::args::{RunArgs, SandboxArgs};
use crate::exit::{Exit, Failure};
use crate::job_request::{self, JobRequest, Program};
use crate::output::Documents;
use crate::progress::Progress;
use crate::server::Server;
use expected::{Expected, Finding};
use profiler_core::cancel::{StopSignal, Termination};
use profiler_core::sandbox::Cores;
use profiler_export::{Ending, wrong_tests};
use profiler_proto::OUTPUTS_NOT_JUDGED;
use profiler_proto::v1::{self, ErrorCode};
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Time for a server to end a cancelled run.
const CANCEL_LIMIT: Duration = Duration::from_secs(10);

/// A run in progress.
enum Run {
    Local(local::Run),
    Remote(Box<remote::Run>),
}

/// Profiles the program in `file`, or in several sources, and prints how the run ended. A local run
/// is measured on one of `cores`.
pub(crate) async fn run(
    file: &Path,
    several: Option<&Program>,
    args: &RunArgs,
    cores: Option<Cores>,
) -> Result<Exit, Failure> {
    let RunArgs { job: options, document, gate, .. } = args;
    let gate = Gate::open(gate)?;
    let program = several.map_or_else(|| Program::at(file), |program| Ok(program.clone()))?;
    let mut request = job_request::from_args(&program, options, &[])?;
    let documents = Documents::open(document)?;
    documents.prepare(&mut request.job)?;
    let job = &mut request.job;
    // The gate's precision would leave few raw samples.
    if job.precision.is_none() && job.repetitions.is_none() && !job.raw_samples && !job.reward {
        job.precision = gate.precision();
    }
    let expected = request.expected_complexity.as_deref().filter(|_| !request.job.reward);
    let expected = expected.map(|text| Expected::parse(text, &request.job));
    let progress = Progress::new(options.progress);
    let server = Server::of_job(options)?;
    let Profiled { mut ending, stopped_by } =
        profile(&options.sandbox, server.as_ref(), request, cores, &progress).await?;
    let measured = ending.report_mut().filter(|report| wrong_tests(report).is_none());
    let note = expected.zip(measured).and_then(|(expected, report)| {
        let time = report.growth.as_ref().and_then(|growth| growth.time.as_ref());
        match expected.compare(time) {
            Finding::Note(note) => Some(note),
            Finding::Warning(warning) => {
                report.warnings.push(warning);
                None
            }
        }
    });
    let next = ending.report().and_then(|report| next_step::of(report, file));
    let note: Vec<_> = [next, note].into_iter().flatten().collect();
    let note = Some(note.join("\n")).filter(|note| !note.is_empty());
    let findings = gate.apply(&ending);
    let source = &job_request::source_name(file);
    let note = note.as_deref();
    let ended = profiler_export::Run { ending: &ending, source, checks: &findings.checks, note };
    documents.write_ended(ended)?;
    findings.print();
    Ok(stopped_by.map_or_else(|| findings.exit_after(Exit::from(&ending)), Exit::Stopped))
}

/// Ending of a run, and the signal that stopped it.
pub(crate) struct Profiled {
    pub(crate) ending: Ending,
    /// The signal; absent if there was none, or if the run finished in spite of it.
    pub(crate) stopped_by: Option<StopSignal>,
}

/// Profiles a job, in this process or on `server`. A signal before the run has begun ends the call
/// at once.
pub(crate) async fn profile(
    sandbox: &SandboxArgs,
    server: Option<&Server>,
    request: JobRequest,
    cores: Option<Cores>,
    progress: &Progress,
) -> Result<Profiled, Failure> {
    let files = request.files.clone();
    let is_judged = request.job.check_sizes;
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let started = tokio::select! {
        run = Run::start(sandbox, server, request, cores, progress) => run,
        signal = termination.asked() => Err(Failure::Stopped(signal)),
    };
    let profiled = match started {
        Ok(mut run) => {
            let profiled = watch(&mut run, &mut termination, progress).await;
            run.close(profiled.is_ok()).await;
            profiled
        }
        Err(failure) => Err(failure),
    };
    progress.finish();
    let profiled = profiled.map_err(|failure| files.place(failure))?;
    // A server ignores a field that it does not know.
    let lacks = |ending: &Ending| matches!(ending, Ending::Report(it) if it.lacks_output_checks());
    if server.is_some() && is_judged && lacks(&profiled.ending) {
        return Err(Failure::argument("--endpoint", OUTPUTS_NOT_JUDGED));
    }
    Ok(profiled)
}

/// Shows the run's events until the last one. Ctrl-C or SIGTERM cancels the run, which then ends
/// with its partial results. A second signal abandons it, and so does a server that does not end it
/// within [`CANCEL_LIMIT`].
async fn watch(
    run: &mut Run,
    termination: &mut Termination,
    progress: &Progress,
) -> Result<Profiled, Failure> {
    let (mut stopped_by, mut limit) = (None, Instant::now());
    let cancel = run.cancel_command();
    loop {
        let event = tokio::select! {
            event = run.next() => event?,
            signal = termination.asked() => {
                if stopped_by.is_some() {
                    return Err(Failure::Stopped(signal));
                }
                run.cancel();
                (stopped_by, limit) = (Some(signal), Instant::now() + CANCEL_LIMIT);
                continue;
            }
            Some(failure) = unconfirmed(cancel.as_deref(), stopped_by, limit) => {
                return Err(failure);
            }
        };
        progress.show(&event)?;
        if let Some(ending) = event.kind.and_then(Ending::from_event) {
            return Ok(Profiled::new(ending, stopped_by));
        }
    }
}

/// Waits until `limit`, if a signal has cancelled a run on a server.
async fn unconfirmed(
    cancel: Option<&str>,
    signal: Option<StopSignal>,
    limit: Instant,
) -> Option<Failure> {
    let (cancel, signal) = (cancel?.to_owned(), signal?);
    sleep_until(limit).await;
    Some(Failure::Unconfirmed { cancel, signal })
}

impl Profiled {
    /// A run that ended with a report was not stopped: the signal came too late.
    fn new(mut ending: Ending, signal: Option<StopSignal>) -> Self {
        let stopped_by = match (&mut ending, signal) {
            (Ending::Error(error), Some(signal)) if error.code() == ErrorCode::Cancelled => {
                let sizes = error.partial.as_ref().map_or(0, |partial| partial.sizes.len());
                let plural = if sizes == 1 { "" } else { "s" };
                let by = match signal {
                    StopSignal::Interrupt => "Ctrl-C",
                    StopSignal::Terminate => "SIGTERM",
                };
                error.message = format!("stopped by {by} after {sizes} size{plural}");
                Some(signal)
            }
            _ => None,
        };
        Self { ending, stopped_by }
    }

    /// Returns the ending, unless a signal stopped the run.
    pub(crate) fn unstopped(self) -> Result<Ending, Failure> {
        match self.stopped_by {
            Some(signal) => Err(Failure::Stopped(signal)),
            None => Ok(self.ending),
        }
    }
}

impl Run {
    async fn start(
        sandbox: &SandboxArgs,
        server: Option<&Server>,
        request: JobRequest,
        cores: Option<Cores>,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        match server {
            Some(server) => {
                let run = remote::submit(server, request, progress).await?;
                Ok(Self::Remote(Box::new(run)))
            }
            None => Ok(Self::Local(local::start(sandbox, request, cores, progress).await?)),
        }
    }

    async fn next(&mut self) -> Result<v1::Event, Failure> {
        match self {
            Self::Local(run) => run.next().await,
            Self::Remote(run) => run.next().await,
        }
    }

    /// Waits until the sandbox of a local run that has ended is gone, and gives up a run on a
    /// server that has not ended. A local run that has not ended ends with this process.
    async fn close(self, has_ended: bool) {
        match self {
            Self::Local(run) if has_ended => run.end().await,
            Self::Remote(run) if !has_ended => run.abandon().await,
            Self::Local(_) | Self::Remote(_) => {}
        }
    }

    /// Returns the command that cancels a run on a server.
    fn cancel_command(&self) -> Option<String> {
        match self {
            Self::Local(_) => None,
            Self::Remote(run) => Some(run.cancel_command()),
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
