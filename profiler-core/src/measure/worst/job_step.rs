//! The search for the worst input as a step of a job.

use super::{WorstCase, WorstEnd};
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::job::{Inputs, Job};
use crate::measure::program_session::ProgramSession;
use crate::measure::stress::job_step::start_generators;
use crate::sandbox::Pool;
use futures::future::join_all;

/// Searches with the program of `job` and the generators of its inputs, each in a sandbox of its
/// own. If this is dropped or fails, `case` has the best input so far.
pub(crate) async fn search(
    case: &mut WorstCase,
    job: &Job,
    (pool, builder): (&Pool, &Builder),
) -> Result<WorstEnd, SandboxFault> {
    let mut program = ProgramSession::start(job.clone(), pool).await?;
    let mut makers = Vec::new();
    let ended = async {
        let compiled = program.compile(builder).await?.map_err(|refused| refused.because);
        let generators = match &job.inputs {
            Inputs::Described(candidates) => candidates.all_generators(),
            Inputs::Size | Inputs::Explicit(_) => &[],
        };
        let started = start_generators(generators, job, (pool, builder), &mut makers).await?;
        // The same programs were compiled before, so the compiler or its sandbox died.
        compiled.and(started).map_err(SandboxFault::Lost)?;
        case.run(&mut program, &mut makers, builder, |_| {}).await
    };
    let ended = ended.await;
    let makers = join_all(makers.into_iter().flatten().map(ProgramSession::end));
    tokio::join!(program.end(), makers);
    ended
}
