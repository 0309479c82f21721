//! Explains a runtime error by one run of a build with sanitizers.

use crate::build::Builder;
use crate::error::SandboxFault;
use crate::job::{Job, Point};
use crate::measure::ProgramSession;
use crate::report::{MeasuredSize, ending_name};
use crate::sandbox::Pool;
use profiler_proto::v1::{Outcome, SanitizerFinding, SanitizerRun};

/// Runs the program with sanitizers at the smallest size that ended as a runtime error, and at n =
/// 0 only if no other did: a task may not allow it. The run has a separate sandbox. `None` if there
/// is no such size. A fault becomes the `problem` of the run, and does not fail the job.
pub(crate) async fn explain(
    job: &Job,
    (pool, builder): (&Pool, &Builder),
    sizes: &[MeasuredSize],
) -> Option<SanitizerRun> {
    let failed = sizes.iter().filter(|size| size.verdict.outcome == Outcome::RuntimeError);
    let point = failed.min_by_key(|size| (size.size == 0, size.size))?.point();
    let found = run(job, (pool, builder), point).await;
    let found = found.unwrap_or_else(|fault| Err(format!("there was no run: {fault}")));
    let run = SanitizerRun { size: point.size, candidate: point.candidate, ..Default::default() };
    Some(match found {
        Ok(finding) => SanitizerRun { finding: Some(finding), ..run },
        Err(problem) => SanitizerRun { problem, ..run },
    })
}

async fn run(
    job: &Job,
    (pool, builder): (&Pool, &Builder),
    point: Point,
) -> Result<Result<SanitizerFinding, String>, SandboxFault> {
    if !job.program.is_empty() {
        return Ok(Err("a compiled program cannot be built with sanitizers".into()));
    }
    let mut program = ProgramSession::start(job.clone(), pool).await?;
    let ran = async {
        match program.compile_sanitized(builder).await? {
            Ok(()) => Ok(program.run_sanitized(point).await?.map_err(|ending| {
                let ended = ending_name(ending);
                format!("no sanitizer found an error; the run ended with {ended}")
            })),
            Err(why) => Ok(Err(why)),
        }
    };
    let ran = ran.await;
    program.end().await;
    ran
}
