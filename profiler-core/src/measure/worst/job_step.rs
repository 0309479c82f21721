//! The search for the worst input as a step of a job.

use super::WorstCase;
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::job::{Candidates, Job, WorstPlan};
use crate::measure::program_session::ProgramSession;
use crate::sandbox::Pool;
use profiler_proto::v1::WorstInput;

/// Searches the inputs that the candidates of `job` allow, in a sandbox of its own. Calls `keep`
/// with the findings whenever they are better, so that a job that is stopped has the best so far.
pub(crate) async fn search(
    job: &Job,
    (candidates, plan): (&Candidates, WorstPlan),
    (pool, builder): (&Pool, &Builder),
    mut keep: impl FnMut(WorstInput),
) -> Result<(), SandboxFault> {
    let mut case = WorstCase::new(candidates.space(), plan);
    let mut program = ProgramSession::start(job.clone(), pool).await?;
    let mut best = None;
    let ended = match program.compile(builder).await? {
        Ok(()) => {
            let tell = |case: &WorstCase| {
                let cost = case.search.best().map(|best| best.cost);
                if cost > best {
                    best = cost;
                    keep(case.found(None));
                }
            };
            case.run(&mut program, builder, tell).await
        }
        // The same program was compiled before, so the compiler or its sandbox died.
        Err(refused) => Err(SandboxFault::Lost(refused.because)),
    };
    program.end().await;
    keep(case.found(Some(&ended?)));
    Ok(())
}
