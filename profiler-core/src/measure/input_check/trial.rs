//! Check of the input while the program is measured.
//!
//! The check has a sandbox of its own, so its runs leave nothing that timed runs could find. If the
//! processors are divided, its runs use only those that are not measured.

use crate::error::SandboxFault;
use crate::job::Job;
use crate::measure::session::{MeasureSession, place_program};
use crate::sandbox::Pool;
use profiler_proto::v1::InputCheck;

/// Checks the input of the program with this binary. `None` if this fails, for example because
/// there is no second sandbox: a check never fails a job.
pub(crate) async fn run(pool: &Pool, job: &Job, binary: &[u8]) -> Option<InputCheck> {
    let tried = async {
        let mut sandbox = pool.acquire().await?;
        let check = async {
            place_program(job, &mut sandbox, binary).await?;
            super::check(&mut MeasureSession::new(job, &mut sandbox.channel, None)).await
        };
        let check = check.await;
        sandbox.end().await;
        check
    };
    tried.await.unwrap_or_else(|fault: SandboxFault| {
        tracing::warn!(target: "Profiler", message = %fault, "the input was not checked");
        None
    })
}
