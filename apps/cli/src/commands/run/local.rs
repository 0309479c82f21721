//! A run in this process.

use crate::args::SandboxArgs;
use crate::exit::Failure;
use crate::job_request::{self, JobRequest};
use crate::progress::Progress;
use crate::sandbox;
use profiler_core::cancel::{Canceller, cancel_signal};
use profiler_core::report::Events;
use profiler_core::sandbox::Cores;
use profiler_core::{Turn, run_job};
use profiler_proto::v1::{ErrorCode, Event};
use profiler_wire::{self as wire, Defaults};
use tokio::sync::mpsc::Receiver;
use tokio::task::JoinHandle;
use uuid::Uuid;

/// A run in this process. A dropped run ends with the process's runtime.
pub(super) struct Run {
    events: Receiver<Event>,
    stopper: Canceller,
    conducted: JoinHandle<()>,
}

/// Checks the job, selects a backend and starts the run.
pub(super) async fn start(
    sandbox: &SandboxArgs,
    request: JobRequest,
    cores: Option<Cores>,
    progress: &Progress,
) -> Result<Run, Failure> {
    let job = wire::job_of(request.job, request.source, &Defaults::default());
    let job = job.map_err(job_request::violations_by_argument)?;
    let profiler = sandbox::profiler(sandbox, cores, progress).await?;
    progress.set_length(job.sizes.promised().map(|sizes| sizes * job.candidates() as usize));
    let (mut to, events) = Events::new(Uuid::now_v7());
    let (stopper, mut stop) = cancel_signal();
    let conducted = tokio::spawn(async move {
        // The returned result is also the last event.
        let _ = run_job(&job, &profiler, &mut to, &mut stop, Turn::now()).await;
        profiler.pool.close().await;
    });
    Ok(Run { events, stopper, conducted })
}

impl Run {
    /// The next event. There is one until the last event has been taken.
    pub(super) async fn next(&mut self) -> Result<Event, Failure> {
        let event = self.events.recv().await;
        event.ok_or_else(|| Failure::Broken {
            step: "finish the run",
            cause: "the run ended without a last event".into(),
        })
    }

    /// Waits until the sandbox is gone, even one that was still starting.
    pub(super) async fn end(self) {
        // If the task panicked, the panic has already printed its message.
        let _ = self.conducted.await;
    }

    pub(super) fn cancel(&self) {
        self.stopper.cancel(ErrorCode::Cancelled);
    }
}
