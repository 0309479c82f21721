//! The search for the worst input as a step of a job.

use super::{WorstCase, WorstEnd};
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::job::Job;
use crate::measure::program_session::ProgramSession;
use crate::sandbox::Pool;

/// Searches with the program of `job`, in a sandbox of its own. If this is dropped or fails, `case`
/// has the best input so far.
pub(crate) async fn search(
    case: &mut WorstCase,
    job: &Job,
    (pool, builder): (&Pool, &Builder),
) -> Result<WorstEnd, SandboxFault> {
    let mut program = ProgramSession::start(job.clone(), pool).await?;
    let ended = match program.compile(builder).await? {
        Ok(()) => case.run(&mut program, builder, |_| {}).await,
        // The same program was compiled before, so the compiler or its sandbox died.
        Err(refused) => Err(SandboxFault::Lost(refused.because)),
    };
    program.end().await;
    ended
}
