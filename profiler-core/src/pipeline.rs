//! The way of the data: a job becomes a report.
//!
//! sandbox → compile → a core of its own → calibrate → start-up → for each size: input → run → verdict
//! and figures → probe → … → count → hotspots → report

use crate::cache;
use crate::compile::{self, CompileStep};
use crate::cores::Permit;
use crate::error::{ErrorCode, SandboxFault};
use crate::event::{EventKind, Events};
use crate::hotspots;
use crate::job::{Job, OnMemoryLimit};
use crate::limits::{ALLOWANCE_BYTES, COMPILE_MEMORY_BYTES, PROBE_PART, SHARE};
use crate::measure::ParseError;
use crate::outcome::{Outcome, Verdict};
use crate::report::{ProfileReport, SandboxError, SizeResult};
use crate::runs::Runs;
use crate::sandbox::{Borrowed, Pool};
use crate::schedule::Schedule;
use crate::stop::Stopped;
use crate::{count, startup};
use runner_protocol::{Binary, Variant};
use std::time::{Duration, Instant};
use tracing::Instrument;

/// How often the compiler is started: once more if it died or its sandbox was lost.
const COMPILE_TRIES: u32 = 2;
const MS_PER_SECOND: f64 = 1e3;

/// Profiles a job. What is stopped or fails on the way ends as an error with what was measured.
pub(crate) async fn profile(
    job: &Job,
    pool: &Pool,
    events: &mut Events,
    stopped: &mut Stopped,
    turn: impl Future<Output = ()>,
) -> Result<ProfileReport, SandboxError> {
    let mut report = ProfileReport::begin(job, events.run_id(), pool.backend());
    let acquired = async {
        turn.await;
        pool.acquire().await
    };
    let ended = match unless(stopped, acquired).await {
        Ok(mut sandbox) => {
            let met = report.met(pool.backend(), &sandbox.hello);
            let steps = async {
                met?;
                steps(job, pool, &mut sandbox, &mut report, events).await
            };
            let ended = unless(stopped, steps).await;
            sandbox.end().await;
            ended
        }
        Err(early) => Err(early),
    };
    report.settle_clock(job);
    match ended {
        Ok(()) => Ok(report),
        Err(Early { code, message }) => {
            tracing::warn!(target: "Profiler", %code, %message, "ended early");
            Err(SandboxError { code, message, partial: Box::new(report) })
        }
    }
}

/// What ends a run before its last step.
struct Early {
    code: ErrorCode,
    message: String,
}

impl From<SandboxFault> for Early {
    fn from(fault: SandboxFault) -> Self {
        Self { code: ErrorCode::Internal, message: fault.to_string() }
    }
}

impl From<ParseError> for Early {
    fn from(error: ParseError) -> Self {
        Self { code: ErrorCode::Parse, message: error.to_string() }
    }
}

/// Does `step` unless the run is stopped first. Dropping the step is safe: its sandbox is not used
/// again.
async fn unless<T, E: Into<Early>>(
    stopped: &mut Stopped,
    step: impl Future<Output = Result<T, E>>,
) -> Result<T, Early> {
    tokio::select! {
        biased;
        code = stopped.stopped() => Err(Early { code, message: format!("the run was stopped: {code}") }),
        done = step => done.map_err(Into::into),
    }
}

async fn steps(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
    events: &mut Events,
) -> Result<(), Early> {
    let stage = tracing::info_span!(target: "Profiler", "compile");
    let compiled = compile(job, pool, sandbox, report, events);
    let binary = compiled.instrument(stage).await?;
    let (empty, _) = cache::obtain(job, pool, sandbox, Variant::Empty).await?;
    let program_bytes = job.limits.memory_bytes + ALLOWANCE_BYTES;
    sandbox.lease.limit_memory(program_bytes).await?;
    measure(job, pool, sandbox, report, events, (binary, empty.binary)).await?;
    if job.debug {
        sandbox.lease.limit_memory(COMPILE_MEMORY_BYTES + ALLOWANCE_BYTES).await?;
        find_hotspots(job, pool, sandbox, report).await?;
    }
    Ok(())
}

/// Everything that needs a core of its own.
async fn measure(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
    events: &mut Events,
    (binary, empty): (Binary, Option<Binary>),
) -> Result<(), Early> {
    let permit = match pool.cores_of(&sandbox.hello) {
        Some(cores) => Some(cores.take().await),
        None => None,
    };
    if let Some(permit) = &permit {
        report.permitted(permit);
    }
    let core = permit.as_ref().and_then(Permit::core);
    let runs = &mut Runs { job, channel: &mut sandbox.channel, core };
    report.host.calibration_ms = startup::calibrate(runs).await?;
    let started = if empty.is_some() { startup::measure(runs).await? } else { Vec::new() };
    report.started_in(job, started);
    let schedule = Schedule::fixed(&job.sizes);
    let mut unspent = SHARE * u32::try_from(schedule.left(0)).unwrap_or(u32::MAX);
    while let Some(size) = schedule.next(report.sizes.len()) {
        let begun = Instant::now();
        let left = u32::try_from(schedule.left(report.sizes.len())).unwrap_or(u32::MAX);
        let mut result = if let Some(verdict) = Verdict::of_binary(binary, &job.limits) {
            SizeResult::never_started(size, verdict)
        } else {
            let ran = runs.timed(size, unspent / left.max(1)).await?;
            report.result(job, size, &ran)?
        };
        let budget = unspent.saturating_sub(begun.elapsed());
        if is_worth_a_look(&result, budget) {
            let probed = runs.probe(size, budget.min(job.limits.wall_stop())).await?;
            report.seen(&mut result, &probed);
        }
        if let Some(permit) = &permit {
            report.look_around(permit);
        }
        unspent = unspent.saturating_sub(begun.elapsed());
        result.log();
        events.emit(EventKind::SizeMeasured(Box::new(result.clone()))).await;
        let over_memory = result.outcome == Outcome::MemoryLimit;
        report.add(result);
        if over_memory && job.on_memory_limit == OnMemoryLimit::Abort {
            let message = format!("size {size} exceeded the memory limit");
            return Err(Early { code: ErrorCode::Memory, message });
        }
    }
    if job.instructions {
        count::count(runs, report).await?;
    }
    Ok(())
}

/// Whether one more run of the size, which tells its memory, costs little of the budget that is left.
fn is_worth_a_look(result: &SizeResult, budget: Duration) -> bool {
    let wall_ms = result.figures.as_ref().filter(|_| result.is_ok()).map(|f| f.wall_ms.median);
    let allowed = budget / PROBE_PART;
    wall_ms.is_some_and(|ms| ms <= allowed.as_secs_f64() * MS_PER_SECOND)
}

/// Compiles, and once more in another sandbox if the compiler died or the sandbox was lost.
async fn compile(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
    events: &mut Events,
) -> Result<Binary, Early> {
    let mut tries = 1;
    let (compiled, cached) = loop {
        let built = cache::obtain(job, pool, sandbox, Variant::Plain).await;
        match &built {
            Ok((compiled, _)) if !compile::died(compiled) => break built?,
            Ok(_) | Err(SandboxFault::Lost(_) | SandboxFault::Silent(_))
                if tries < COMPILE_TRIES =>
            {
                tries += 1;
                *sandbox = pool.acquire().await?;
            }
            _ => break built?,
        }
    };
    let step = CompileStep { cached, ..CompileStep::from(&compiled) };
    tracing::info!(target: "Profiler", command = %step.command, wall_ms = step.wall_ms, "compiled");
    report.compiled_by(sandbox.toolchain.as_deref().unwrap_or(&compiled.compiler));
    report.compile = Some(step.clone());
    events.emit(EventKind::Compiled(Box::new(step.clone()))).await;
    compiled.binary.ok_or_else(|| Early {
        code: ErrorCode::Compile,
        message: compile::failure(&compiled, &step),
    })
}

/// One run of a build of its own, at the largest size that ended OK.
async fn find_hotspots(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
) -> Result<(), SandboxFault> {
    let largest = report.sizes.iter().rev().find(|result| result.outcome == Outcome::Ok);
    let Some(size) = largest.map(|result| result.size) else {
        report.warn("no_hotspots", None, "no size ended OK, so none was profiled");
        return Ok(());
    };
    let (compiled, _) = cache::obtain(job, pool, sandbox, Variant::Gprof).await?;
    if compiled.binary.is_none() {
        report.warn("no_hotspots", None, "the program does not compile with -pg");
        return Ok(());
    }
    let mut runs = Runs { job, channel: &mut sandbox.channel, core: None };
    let profiled = runs.profile(size).await?;
    match hotspots::of(&profiled.profile) {
        None => report.warn("no_hotspots", Some(size), "the program left no profile"),
        Some(found) if found.is_empty() => {
            let problem = "gprof samples every 10 ms, and none fell on the program's own lines";
            report.warn("no_hotspots", Some(size), problem);
        }
        Some(found) => report.hotspots = found,
    }
    Ok(())
}
