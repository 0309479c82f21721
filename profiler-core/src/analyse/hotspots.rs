//! Hotspots: where the time goes, by line and function of the submitted source.
//!
//! The counter counts instructions by line in a separate run (`exact`), at the largest size that
//! ended OK. One more run there can tell the lines whose instructions take more or less time than
//! others (`time_shares`). A program that cannot be counted is sampled with `gprof -l` (`sampled`).

mod exact;
mod sampled;
mod time_shares;

use crate::analyse::instructions::{
    CountOutcome, Uncounted, believed, time_limit, trusted, worked_alike, wrote_otherwise,
};
use crate::build::{Builder, compiler};
use crate::error::SandboxFault;
use crate::job::{Job, Point};
use crate::measure::session::MeasureSession;
use crate::report::{Hotspots, MeasuredSize, StartUpCosts};
use crate::sandbox::{Pool, Sandbox};
use profiler_growth::Effort;
use profiler_proto::v1::{HotspotsMethod, Warning, WarningCode};
use runner_protocol::{Binary, Trace, Variant};

/// Finds the hotspots at `size` by counting, or by sampling if they cannot be counted. Returns them
/// with warnings.
pub(crate) async fn find(
    job: &Job,
    (pool, builder, binary): (&Pool, &Builder, Binary),
    sandbox: &mut Sandbox,
    size: Option<&MeasuredSize>,
    start_up: StartUpCosts,
) -> Result<(Hotspots, Vec<Warning>), SandboxFault> {
    let Some(size) = size else {
        let problem = "no size ended OK, so there are no hotspots";
        return Ok((Hotspots::default(), vec![Warning::new(WarningCode::NoHotspots, problem)]));
    };
    let point = size.point();
    match counted(job, sandbox, size, start_up).await? {
        Ok(trace) => {
            let problem =
                "there are too many call stacks to keep, so inclusive shares are too small";
            let partial = || vec![point.warning(WarningCode::PartialCallStacks, problem)];
            let warnings = trace.is_partial.then(partial).unwrap_or_default();
            let times = time_shares::find(job, (pool, &mut sandbox.channel, binary), size).await;
            Ok((exact::from_trace(&trace, &job.files, times.as_ref()), warnings))
        }
        Err(Uncounted { message, .. }) if !job.program.is_empty() => {
            let problem = format!("a compiled program cannot be sampled, and {message}");
            let missing = point.warning(WarningCode::NoHotspots, problem);
            Ok((Hotspots::default(), vec![missing]))
        }
        Err(Uncounted { code, message, .. }) => {
            let uncounted = point.warning(code, format!("hotspots are sampled: {message}"));
            Ok(match sample(job, builder, sandbox, point).await? {
                Ok(hotspots) => (hotspots, vec![uncounted]),
                Err(missing) => (Hotspots::default(), vec![uncounted, missing]),
            })
        }
    }
}

/// Counts instructions by line.
async fn counted(
    job: &Job,
    sandbox: &mut Sandbox,
    size: &MeasuredSize,
    start_up: StartUpCosts,
) -> Result<CountOutcome<Trace>, SandboxFault> {
    let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
    session.place_counter().await?;
    let traced = session.trace(size.point(), time_limit(job)).await?;
    let is_other = wrote_otherwise(&traced.written, size);
    let trace = trusted(traced.trace, &traced.execution, is_other);
    Ok(trace.and_then(|trace| {
        worked_alike(&traced.execution.sample, size.most_sys_ms())?;
        believed(trace.instructions, size.user_ms(), start_up)?;
        if trace.lines.is_empty() {
            let message = "its debug information names no line of the source".into();
            return Err(Uncounted::new(WarningCode::InstructionsUnsupported, message));
        }
        Ok(trace)
    }))
}

/// Samples one run. Returns the hotspots, or the warning that there are none.
async fn sample(
    job: &Job,
    builder: &Builder,
    sandbox: &mut Sandbox,
    point: Point,
) -> Result<Result<Hotspots, Warning>, SandboxFault> {
    let compiled = builder.obtain(job, sandbox, Variant::Gprof).await?.compiled;
    if let (_, Err(why)) = compiler::step_and_binary(&compiled, builder.limits) {
        let problem = format!("the program cannot be compiled with -pg: {why}");
        return Ok(Err(Warning::new(WarningCode::NoHotspots, problem)));
    }
    let mut session = MeasureSession::new(job, &mut sandbox.channel, None);
    let profiled = session.profile(point).await?;
    let problem = match sampled::from_profile(&profiled.profile, &job.own_files()) {
        None => "the program left no profile",
        Some(lines) if lines.is_empty() => {
            "gprof samples every 10 ms, and no sample fell on the program's own lines"
        }
        Some(lines) => {
            let method = HotspotsMethod::Gprof;
            return Ok(Ok(Hotspots { method, lines, ..Hotspots::default() }));
        }
    };
    Ok(Err(point.warning(WarningCode::NoHotspots, problem)))
}

/// Returns the warning about `#line` directives and `.loc` of assembly code, if there are any and
/// the report names lines. Debug information uses the renumbered lines.
pub(crate) fn warning_of_renumbering(job: &Job) -> Option<Warning> {
    let named = job.options.debug || job.options.allocations || job.options.growth == Effort::Full;
    let mut lines = job.sources().flat_map(|text| text.split(|&byte| byte == b'\n'));
    (named && lines.any(renumbers)).then(|| {
        let problem = "the source has #line or .loc directives, so hotspots, allocations and \
                       growth use the line numbers of those directives";
        Warning::new(WarningCode::LineDirectives, problem)
    })
}

fn renumbers(line: &[u8]) -> bool {
    let directive = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
    let is_line = directive
        .is_some_and(|it| it.starts_with(b"line ") || it.first().is_some_and(u8::is_ascii_digit));
    is_line || line.windows(6).any(|it| it.starts_with(b".loc ") && it[5].is_ascii_digit())
}
