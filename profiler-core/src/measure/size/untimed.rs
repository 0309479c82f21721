//! The runs of a size that are not timed: a memory probe if it is cheap, and a count of the
//! questions to an interactor.
//!
//! A program that recognises such a run could do the work of another size in it, and leave the
//! answer for a timed run. So these runs come after the last timed run in their sandbox.

use crate::error::SandboxFault;
use crate::figures::units::{MS_PER_SECOND, mib};
use crate::job::Job;
use crate::limits::{BRIEF_PROBING, PROBE_PART};
use crate::measure::session::MeasureSession;
use crate::measure::verdict::judge;
use crate::report::{MeasuredSize, PlannedProbe, ProbeFindings, ending_name};
use profiler_proto::v1::{Outcome, Warning, WarningCode};
use runner_protocol::HELD_SLACK_BYTES;
use std::time::Duration;

/// Plans the memory probe of a size, which is one more run, if the size has `left`. `None` if the
/// probe would take more than a small part of that, and for programs that are never probed.
pub(super) fn planned(job: &Job, result: &MeasuredSize, left: Duration) -> Option<PlannedProbe> {
    if job.interactor.is_some() || job.runs_once() {
        return None;
    }
    // In a brief job, only a first run may take long.
    let for_probe = job.brief_precision().map_or(left, |_| BRIEF_PROBING);
    let wall_ms = result.ok_figures()?.wall_ms?.median;
    let takes = Duration::from_secs_f64(wall_ms / MS_PER_SECOND);
    let within = left.min(job.limits.wall_stop());
    (takes <= for_probe / PROBE_PART).then_some(PlannedProbe { takes, within })
}

/// Makes the memory probe of a size that ended OK. A probe that ended differently from the timed
/// runs, or held clearly less, gives no figures, but a warning. `None` if the size is due no probe.
pub(crate) async fn probe(
    session: &mut MeasureSession<'_>,
    size: &MeasuredSize,
) -> Result<Option<Result<ProbeFindings, Warning>>, SandboxFault> {
    let Some(PlannedProbe { within, .. }) = size.probe.filter(|_| size.is_ok()) else {
        return Ok(None);
    };
    let probed = session.probe(size.point(), within).await?;
    let verdict = judge(&probed.execution, &session.job.limits, &[]);
    let differs =
        |problem: String| Ok(Some(Err(size.point().warning(WarningCode::ProbeDiffers, problem))));
    if verdict.outcome == Outcome::MemoryLimit {
        return Ok(Some(Ok(ProbeFindings { memory: probed.memory, over_limit: Some(verdict) })));
    }
    if !probed.execution.ending.is_success() {
        let ended = ending_name(probed.execution.ending);
        return differs(format!("the program ended differently in the memory probe: {ended}"));
    }
    let least = size.samples.iter().map(|sample| sample.peak_rss_bytes).min().unwrap_or(0);
    let seen = probed.execution.sample.peak_rss_bytes;
    if least > seen + HELD_SLACK_BYTES {
        return differs(format!(
            "the program had at most {:.1} MiB resident in the memory probe, and at least {:.1} MiB \
             in each repetition: no figure is taken from the probe",
            mib(seen),
            mib(least)
        ));
    }
    Ok(Some(Ok(ProbeFindings { memory: probed.memory, over_limit: None })))
}
