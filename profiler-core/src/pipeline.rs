//! The way of the data: a job becomes a report.
//!
//! sandbox → compile → a core of its own → calibrate → start-up → for each size: input → run → verdict
//! and figures → probe → … → count → more for growth → hotspots → allocations → growth → report

use crate::analyse::allocations;
use crate::analyse::growth_runs::{self as grow, More};
use crate::analyse::hotspots;
use crate::analyse::instructions as count;
use crate::build::compiler;
use crate::build::obtain;
use crate::cancel::CancelToken;
use crate::error::{ErrorCode, SandboxFault};
use crate::figures::ParseError;
use crate::job::Point;
use crate::job::{Job, OnMemoryLimit};
use crate::limits::{ALLOWANCE_BYTES, COMPILING_BYTES, PROBE_PART, RECORD_BYTES, TRACE_BYTES};
use crate::measure::schedule::Schedule;
use crate::measure::session::Runs;
use crate::measure::verdict::judge_binary;
use crate::measure::{interactive, startup, test_cases};
use crate::report::CompileStep;
use crate::report::Outcome;
use crate::report::{EventKind, Events};
use crate::report::{ProfileReport, SandboxError, SizeResult};
use crate::sandbox::CoreReservation;
use crate::sandbox::{Borrowed, Pool, Sandbox};
use runner_protocol::{Binary, Variant};
use std::time::{Duration, Instant};
use tracing::Instrument;

/// How often the compiler is started: once more if it died or its sandbox was lost.
const COMPILE_TRIES: u32 = 2;
const MS_PER_SECOND: f64 = 1e3;

/// Profiles `job` in a sandbox of `pool`, once it is its `turn`. Emits an event for each step, and
/// exactly one last event, which is also what it returns. When it returns, the sandbox is gone.
pub async fn run_job(
    job: &Job,
    pool: &Pool,
    events: &mut Events,
    stopped: &mut CancelToken,
    turn: impl Future<Output = ()>,
) -> Result<ProfileReport, SandboxError> {
    let (run_id, task_id) = (events.run_id(), &job.task_id);
    let span = tracing::info_span!(target: "Profiler", "job", run_id, task_id);
    let ended = profile(job, pool, events, stopped, turn).instrument(span).await;
    events
        .emit(match &ended {
            Ok(report) => EventKind::Finished(Box::new(report.clone())),
            Err(error) => EventKind::Failed(Box::new(error.clone())),
        })
        .await;
    ended
}

/// Profiles a job. What is stopped or fails on the way ends as an error with what was measured.
async fn profile(
    job: &Job,
    pool: &Pool,
    events: &mut Events,
    stopped: &mut CancelToken,
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
            // All that is under way lives in this future: it is large, and so are those around it.
            let steps = Box::pin(async {
                met?;
                steps(job, pool, &mut sandbox, &mut report, events).await
            });
            let ended = unless(stopped, steps).await;
            sandbox.end().await;
            ended
        }
        Err(early) => Err(early),
    };
    report.settle_clock(job);
    match ended {
        Ok(more) => {
            report.growth = grow::told(job, &report, more);
            Ok(report)
        }
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
    stopped: &mut CancelToken,
    step: impl Future<Output = Result<T, E>>,
) -> Result<T, Early> {
    tokio::select! {
        biased;
        code = stopped.cancelled() => Err(Early { code, message: format!("the run was stopped: {code}") }),
        done = step => done.map_err(Into::into),
    }
}

async fn steps(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
    events: &mut Events,
) -> Result<More, Early> {
    let stage = tracing::info_span!(target: "Profiler", "compile");
    let compiled = compile(job, pool, sandbox, report, events);
    let binary = compiled.instrument(stage).await?;
    let (empty, _) = obtain(job, pool, sandbox, Variant::Empty).await?;
    if let Some(message) = interactive::compile(job, pool, sandbox, report).await? {
        return Err(Early { code: ErrorCode::Compile, message });
    }
    let bytes = program_bytes(job, sandbox);
    sandbox.lease.limit_memory(bytes).await?;
    let built = Built { binary, empty: empty.binary.is_some() };
    let mut more = measure(job, pool, sandbox, report, events, built).await?;
    if grow::is_measured(job) && report.largest().is_some() {
        sandbox.lease.limit_memory(COMPILING_BYTES.max(bytes)).await?;
        let built = grow::compile(job, pool, sandbox).await?;
        let bytes = program_bytes(job, sandbox) + TRACE_BYTES.max(RECORD_BYTES);
        sandbox.lease.limit_memory(bytes).await?;
        grow::look_into(job, &mut sandbox.channel, built, report, &mut more).await?;
    }
    hotspots::warn_of_renumbering(job, report);
    if job.debug {
        let bytes = program_bytes(job, sandbox) + TRACE_BYTES;
        sandbox.lease.limit_memory(COMPILING_BYTES.max(bytes)).await?;
        hotspots::find(job, pool, sandbox, report).await?;
    }
    if job.allocations {
        let bytes = program_bytes(job, sandbox);
        sandbox.lease.limit_memory(COMPILING_BYTES.max(bytes) + RECORD_BYTES).await?;
        allocations::record(job, pool, sandbox, report).await?;
    }
    Ok(more)
}

/// What the program and what is beside it in the sandbox may take, in bytes.
fn program_bytes(job: &Job, sandbox: &Sandbox) -> u64 {
    let input_bytes = job.input_bytes() + interactive::room_bytes(job);
    job.limits.memory_bytes + input_bytes + sandbox.builds_bytes + ALLOWANCE_BYTES
}

/// The builds in the sandbox.
#[derive(Debug, Clone, Copy)]
struct Built {
    binary: Binary,
    /// Whether there is an empty program.
    empty: bool,
}

/// Everything that needs a core of its own.
async fn measure(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
    report: &mut ProfileReport,
    events: &mut Events,
    built: Built,
) -> Result<More, Early> {
    let permit = match pool.cores_of(&sandbox.hello) {
        Some(cores) => Some(cores.take().await),
        None => None,
    };
    if let Some(permit) = &permit {
        report.permitted(permit);
    }
    let core = permit.as_ref().and_then(CoreReservation::core);
    let runs = &mut Runs::of(job, &mut sandbox.channel, core);
    report.host.calibration_ms = startup::calibrate(runs).await?;
    let started = if built.empty { startup::measure(runs).await? } else { Vec::new() };
    report.started_in(job, started);
    test_cases::check(runs, report).await?;
    let mut schedule = Schedule::of(job);
    let mut unspent = schedule.budget();
    while let Some(size) = schedule.next(&report.sizes, unspent) {
        for candidate in 0..job.candidates() {
            let begun = Instant::now();
            let share = schedule.share(report.sizes.len(), unspent);
            let point = Point { size, candidate };
            let mut result = point_of(runs, report, built.binary, point, (share, unspent)).await?;
            result.candidates = job.candidates();
            if let Some(permit) = &permit {
                report.look_around(permit);
            }
            unspent = unspent.saturating_sub(begun.elapsed());
            result.log();
            events.emit(EventKind::SizeMeasured(Box::new(result.clone()))).await;
            let over_memory = result.outcome == Outcome::MemoryLimit;
            report.add(result);
            // A size that the schedule chose ends the schedule, as every limit does.
            let asked_for = job.sizes.certain().contains(&size);
            if over_memory && asked_for && job.on_memory_limit == OnMemoryLimit::Abort {
                let message = format!("size {size} exceeded the memory limit");
                return Err(Early { code: ErrorCode::Memory, message });
            }
        }
    }
    report.schedule_end = schedule.end();
    if job.instructions {
        count::count(runs, report).await?;
    }
    if grow::is_measured(job) {
        return Ok(grow::measure(job, &mut sandbox.channel, core, report).await?);
    }
    Ok(More::default())
}

/// The result of one size with one candidate: its runs within `share`, and a look at its memory where
/// enough is `unspent`.
async fn point_of(
    runs: &mut Runs<'_>,
    report: &mut ProfileReport,
    binary: Binary,
    point: Point,
    (share, unspent): (Duration, Duration),
) -> Result<SizeResult, Early> {
    let (job, begun) = (runs.job, Instant::now());
    if let Some(verdict) = judge_binary(binary, &job.limits) {
        return Ok(SizeResult::never_started(point, verdict));
    }
    let ran = runs.timed(point, share).await?;
    let mut result = report.result(job, point, &ran)?;
    result.input_bytes = runs.input_bytes();
    let budget = unspent.saturating_sub(begun.elapsed());
    if job.interactor.is_none() && is_worth_a_look(&result, budget) {
        let probed = runs.probe(point, budget.min(job.limits.wall_stop())).await?;
        report.seen(&mut result, &probed);
    }
    Ok(result)
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
        let built = obtain(job, pool, sandbox, Variant::Plain).await;
        match &built {
            Ok((compiled, _)) if !compiler::died(compiled) => break built?,
            Ok(_) | Err(SandboxFault::Lost(_) | SandboxFault::Silent(_))
                if tries < COMPILE_TRIES =>
            {
                tries += 1;
                *sandbox = pool.acquire().await?;
            }
            _ => break built?,
        }
    };
    let step = CompileStep { cached, ..compiler::step(&compiled) };
    tracing::info!(target: "Profiler", command = %step.command, wall_ms = step.wall_ms, "compiled");
    report.compiled_by(sandbox.toolchain.as_deref().unwrap_or(&compiled.compiler));
    report.compile = Some(step.clone());
    events.emit(EventKind::Compiled(Box::new(step.clone()))).await;
    compiled.binary.ok_or_else(|| Early {
        code: ErrorCode::Compile,
        message: compiler::failure(&compiled, &step),
    })
}
