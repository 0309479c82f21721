//! The check of the input before the program is measured.
//!
//! While a run of a job is timed or counted, no other run of its program may be alive, because that
//! one could do the work. So the check ends before the first timed run. It needs no measured core:
//! unless another step may end the job first, it precedes the job's turn, so that another job is
//! measured meanwhile.

use super::context::{Built, Context, Profiler, Trial};
use crate::error::EarlyEnd;
use crate::job::{Inputs, Job};
use crate::measure::input_check::trial;
use crate::measure::verdict::judge_binary;
use crate::sandbox::Sandbox;
use profiler_proto::v1::{InputCheck, InputExperiment, InputUse, TestOrder};
use runner_protocol::Variant;

/// Whether nothing else may end the job between its build and the check.
pub(super) fn precedes_turn(job: &Job) -> bool {
    let tests_first = job.options.test_order != TestOrder::After && !job.test_cases.is_empty();
    !tests_first && job.validator.is_none()
}

/// Checks the input, unless that was done, and reports the result.
pub(super) async fn check(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<Trial, EarlyEnd> {
    if context.trial == Trial::Due {
        context.trial = made(context, sandbox, built).await?;
    }
    Ok(context.trial)
}

async fn made(
    context: &mut Context<'_>,
    sandbox: &mut Sandbox,
    built: Built,
) -> Result<Trial, EarlyEnd> {
    let Context { job, profiler: Profiler { pool, .. }, report, counting, .. } = context;
    if job.options.input_experiment != InputExperiment::First
        || job.interactor.is_some()
        || judge_binary(built.binary, &job.limits).is_some()
    {
        return Ok(Trial::Without);
    }
    let binary = sandbox.channel.fetch(Variant::Plain, built.binary.bytes).await?;
    let (check, tried) = trial::run(counting.lend(pool), job, &binary).await;
    if let Some(tried) = tried {
        counting.take_back(tried).await;
    }
    let Some(check) = check else { return Ok(Trial::Failed) };
    let ends_job = ends_job(job, &check);
    report.set_input_check(check);
    Ok(if ends_job { Trial::Starved } else { Trial::Passed })
}

/// Whether the job ends because the program lacks input, or reads it from a file that is not there.
/// Nothing of its task can then be measured or tested. A growing schedule has no sizes to report as
/// left out, so it goes on.
fn ends_job(job: &Job, check: &InputCheck) -> bool {
    let lacks_input = check.input_use() == InputUse::Starved
        && (matches!(job.inputs, Inputs::Size) || check.opened_file.is_some());
    lacks_input && job.test_cases.is_empty() && job.sizes.promised().is_some()
}
