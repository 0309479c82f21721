//! Inputs that a generator makes, before anything else of the job.

use super::context::Profiler;
use super::early_end::{ended_early, unless_cancelled};
use super::turn::Turn;
use crate::cancel::CancelToken;
use crate::job::Job;
use crate::measure::test_cases::{has_generator, make_inputs};
use crate::report::{Events, ReportBuilder};
use profiler_proto::v1::SandboxError;
use std::borrow::Cow;

/// Makes the inputs of the generators of `job`, at its `turn`. Returns the job with them, and what
/// is left of the turn. A generator that fails ends the job.
pub(super) async fn generate<'a, 't>(
    job: &'a Job,
    profiler: &Profiler,
    events: &Events,
    cancel: &mut CancelToken,
    turn: Turn<'t>,
) -> Result<(Cow<'a, Job>, Turn<'t>), Box<SandboxError>> {
    if !has_generator(job) {
        return Ok((Cow::Borrowed(job), turn));
    }
    let Profiler { pool, builder, .. } = profiler;
    let Turn { to_build, to_measure, measured } = turn;
    let making = async {
        to_build.await;
        // A generator would disturb a program that is measured.
        to_measure.await;
        make_inputs(job, builder, pool).await
    };
    match unless_cancelled(cancel, making).await {
        Ok(job) => Ok((Cow::Owned(job), Turn { measured, ..Turn::now() })),
        Err(early) => {
            let mut report = ReportBuilder::new(job, events.run_id(), pool.backend().name());
            report.settle();
            Err(ended_early(report, job, early))
        }
    }
}
