//! One run of a build of its own, at the largest size that ended OK.

use super::{exact, sampled};
use crate::analyse::instructions as count;
use crate::analyse::instructions::Uncounted;
use crate::build::obtain;
use crate::error::SandboxFault;
use crate::job::Job;
use crate::job::Point;
use crate::limits::{COUNT_SLOW_DOWN, MAX_COUNT};
use crate::measure::session::Runs;
use crate::report::ProfileReport;
use crate::report::WarningCode;
use crate::report::hotspots::Hotspots;
use crate::sandbox::{Borrowed, Pool};
use runner_protocol::{Trace, Variant};

/// How sampled hotspots are found, on the wire.
const SAMPLED: &str = "gprof";

/// Finds the hotspots: counted, or sampled where they cannot be counted.
pub(crate) async fn find(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
) -> Result<(), SandboxFault> {
    let Some(point) = report.largest() else {
        report.warn(WarningCode::NoHotspots, None, "no size ended OK, so none was profiled");
        return Ok(());
    };
    match counted(job, pool, sandbox, report, point).await? {
        Some(Ok(trace)) => {
            if trace.is_partial {
                let problem = "there are too many chains of calls: inclusive shares are too small";
                report.warn(WarningCode::PartialCallStacks, Some(point), problem);
            }
            report.hotspots = exact::of(&trace);
            return Ok(());
        }
        Some(Err(Uncounted { code, message })) => {
            report.warn(code, Some(point), format!("hotspots are sampled: {message}"));
        }
        // Then gprof's build will not compile either, and says so.
        None => {}
    }
    sample(job, pool, sandbox, report, point).await
}

/// Counts by lines; `None` where the program does not compile with debug information.
async fn counted(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &ProfileReport,
    point: Point,
) -> Result<Option<Result<Trace, Uncounted>>, SandboxFault> {
    let (compiled, _) = obtain(job, pool, sandbox, Variant::Lines).await?;
    let size = report.sizes.iter().find(|size| size.point() == point);
    let (Some(_), Some(size)) = (compiled.binary, size) else { return Ok(None) };
    let mut runs = Runs::of(job, &mut sandbox.channel, None);
    runs.place_counter().await?;
    let within = (COUNT_SLOW_DOWN * job.limits.timeout).min(MAX_COUNT);
    let traced = runs.trace(point, within).await?;
    let trace = count::trusted(traced.trace, &traced.execution, &traced.written, size);
    Ok(Some(trace.and_then(|trace| {
        if trace.lines.is_empty() {
            let message = "its debug information names no line of the source".into();
            return Err(Uncounted { code: WarningCode::InstructionsUnsupported, message });
        }
        Ok(trace)
    })))
}

async fn sample(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
    point: Point,
) -> Result<(), SandboxFault> {
    let (compiled, _) = obtain(job, pool, sandbox, Variant::Gprof).await?;
    if compiled.binary.is_none() {
        report.warn(WarningCode::NoHotspots, None, "the program does not compile with -pg");
        return Ok(());
    }
    let mut runs = Runs::of(job, &mut sandbox.channel, None);
    let profiled = runs.profile(point).await?;
    match sampled::from_profile(&profiled.profile) {
        None => report.warn(WarningCode::NoHotspots, Some(point), "the program left no profile"),
        Some(found) if found.is_empty() => {
            let problem = "gprof samples every 10 ms, and none fell on the program's own lines";
            report.warn(WarningCode::NoHotspots, Some(point), problem);
        }
        Some(lines) => {
            report.hotspots = Hotspots { method: Some(SAMPLED), lines, ..Hotspots::default() };
        }
    }
    Ok(())
}
