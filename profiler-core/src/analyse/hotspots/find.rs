//! Finds hotspots in one counted run, or in one run of a build for gprof, at the largest size that
//! ended OK.

use super::{exact, sampled};
use crate::analyse::instructions::{CountOutcome, Uncounted, trusted};
use crate::build::{Builder, compiler};
use crate::error::SandboxFault;
use crate::job::{Job, Point};
use crate::limits::{COUNT_SLOW_DOWN, MAX_COUNT};
use crate::measure::session::MeasureSession;
use crate::report::{Hotspots, MeasuredSize};
use crate::sandbox::Sandbox;
use profiler_proto::v1::{HotspotsMethod, Warning, WarningCode};
use runner_protocol::{Trace, Variant};

/// The hotspots and the warnings about them.
#[derive(Default)]
pub(crate) struct FoundHotspots {
    pub(crate) hotspots: Hotspots,
    pub(crate) warnings: Vec<Warning>,
}

impl FoundHotspots {
    fn warn(&mut self, code: WarningCode, point: Point, problem: impl Into<String>) {
        self.warnings.push(point.warning(code, problem));
    }
}

/// Finds the hotspots at `size` by counting, or by sampling if they cannot be counted.
pub(crate) async fn find(
    job: &Job,
    builder: &Builder,
    sandbox: &mut Sandbox,
    size: Option<&MeasuredSize>,
) -> Result<FoundHotspots, SandboxFault> {
    let mut found = FoundHotspots::default();
    let Some(size) = size else {
        let problem = "no size ended OK, so there are no hotspots";
        found.warnings.push(Warning::new(WarningCode::NoHotspots, problem));
        return Ok(found);
    };
    match counted(job, sandbox, size).await? {
        Ok(trace) => {
            if trace.is_partial {
                let problem =
                    "there are too many call stacks to keep, so inclusive shares are too small";
                found.warn(WarningCode::PartialCallStacks, size.point(), problem);
            }
            found.hotspots = exact::from_trace(&trace);
        }
        Err(Uncounted { code, message }) => {
            found.warn(code, size.point(), format!("hotspots are sampled: {message}"));
            sample(job, builder, sandbox, size.point(), &mut found).await?;
        }
    }
    Ok(found)
}

/// Counts instructions by line.
async fn counted(
    job: &Job,
    sandbox: &mut Sandbox,
    size: &MeasuredSize,
) -> Result<CountOutcome<Trace>, SandboxFault> {
    let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
    session.place_counter().await?;
    let within = (COUNT_SLOW_DOWN * job.limits.timeout).min(MAX_COUNT);
    let traced = session.trace(size.point(), within).await?;
    let trace = trusted(traced.trace, &traced.execution, &traced.written, size);
    Ok(trace.and_then(|trace| {
        if trace.lines.is_empty() {
            let message = "its debug information names no line of the source".into();
            return Err(Uncounted { code: WarningCode::InstructionsUnsupported, message });
        }
        Ok(trace)
    }))
}

async fn sample(
    job: &Job,
    builder: &Builder,
    sandbox: &mut Sandbox,
    point: Point,
    found: &mut FoundHotspots,
) -> Result<(), SandboxFault> {
    let compiled = builder.obtain(job, sandbox, Variant::Gprof).await?.compiled;
    if let (_, Err(why)) = compiler::step_and_binary(&compiled, builder.limits) {
        let problem = format!("the program cannot be compiled with -pg: {why}");
        found.warnings.push(Warning::new(WarningCode::NoHotspots, problem));
        return Ok(());
    }
    let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
    let profiled = session.profile(point).await?;
    match sampled::from_profile(&profiled.profile) {
        None => found.warn(WarningCode::NoHotspots, point, "the program left no profile"),
        Some(lines) if lines.is_empty() => {
            let problem = "gprof samples every 10 ms, and none fell on the program's own lines";
            found.warn(WarningCode::NoHotspots, point, problem);
        }
        Some(lines) => {
            let method = HotspotsMethod::Gprof;
            found.hotspots = Hotspots { method, lines, ..Hotspots::default() };
        }
    }
    Ok(())
}
