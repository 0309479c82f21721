//! A run: one job from its turn to its last event.

use crate::event::{EventKind, Events};
use crate::job::Job;
use crate::pipeline;
use crate::report::{ProfileReport, SandboxError};
use crate::sandbox::Pool;
use crate::stop::Stopped;
use tracing::Instrument;

/// Profiles `job` in a sandbox of `pool`, once it is its `turn`. Emits an event for each step, and
/// exactly one last event, which is also what it returns. When it returns, the sandbox is gone.
pub async fn conduct(
    job: &Job,
    pool: &Pool,
    events: &mut Events,
    stopped: &mut Stopped,
    turn: impl Future<Output = ()>,
) -> Result<ProfileReport, SandboxError> {
    let (run_id, task_id) = (events.run_id(), &job.task_id);
    let span = tracing::info_span!(target: "Profiler", "job", run_id, task_id);
    let ended = pipeline::profile(job, pool, events, stopped, turn).instrument(span).await;
    events
        .emit(match &ended {
            Ok(report) => EventKind::Finished(Box::new(report.clone())),
            Err(error) => EventKind::Failed(Box::new(error.clone())),
        })
        .await;
    ended
}
