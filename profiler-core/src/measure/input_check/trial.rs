//! The trial of a program while it is measured: whether its input holds all that it reads.
//!
//! It has a sandbox of its own, so timed runs find nothing that it left, and it keeps to the
//! processors that are not measured.

use crate::error::EarlyEnd;
use crate::job::Job;
use crate::measure::session::{MeasureSession, program_bytes};
use crate::report::InputCheck;
use crate::sandbox::Pool;
use runner_protocol::{File, Variant};

/// Tries the program with this binary. `None` if the input says nothing, or if there is no second
/// sandbox: a trial never fails a job.
pub(crate) async fn run(pool: &Pool, job: &Job, binary: &[u8]) -> Option<InputCheck> {
    let tried = async {
        let mut sandbox = pool.acquire().await?;
        sandbox.channel.put(File::Binary(Variant::Plain), binary).await?;
        sandbox.builds_bytes += binary.len() as u64;
        let bytes = program_bytes(job, &sandbox);
        sandbox.lease.limit_memory(bytes).await?;
        let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
        let check = super::check(&mut session).await?;
        sandbox.end().await;
        Ok::<_, EarlyEnd>(check)
    };
    tried.await.unwrap_or_else(|EarlyEnd { message, .. }| {
        tracing::warn!(target: "Profiler", message, "the input was not checked");
        None
    })
}
